import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const programs = '/usr/lib/rabbitmq/bin';

/** A RabbitMQ server of its own, with its files in a temporary folder. */
export interface RabbitServer extends AsyncDisposable {
  readonly url: string;
  /** Ends the server as a power failure does, and starts it again with its files. */
  restart(): Promise<void>;
}

/** @throws Error with the line that installs RabbitMQ */
export async function startRabbit(): Promise<RabbitServer> {
  if (!existsSync(join(programs, 'rabbitmq-server')))
    throw new Error(
      'There is no RabbitMQ. Install it: apt-get install --yes --no-install-recommends rabbitmq-server',
    );
  const folder = await mkdtemp(join(tmpdir(), 'countersign-rabbit-'));
  const [port, distribution, names] = await freePorts(3);
  await mkdir(join(folder, 'home'));
  await writeFile(join(folder, 'plugins'), '[rabbitmq_consistent_hash_exchange].\n');
  await writeFile(join(folder, 'rabbitmq.conf'), `listeners.tcp.1 = 127.0.0.1:${port}\n`);
  const env = {
    PATH: process.env['PATH'],
    HOME: join(folder, 'home'),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    ERL_EPMD_PORT: String(names),
    RABBITMQ_NODENAME: `countersign${port}@localhost`,
    RABBITMQ_DIST_PORT: String(distribution),
    RABBITMQ_MNESIA_BASE: join(folder, 'data'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_PID_FILE: join(folder, 'pid'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
  };
  const naming = spawn('epmd', ['-port', String(names), '-address', '127.0.0.1'], {
    env,
    stdio: 'ignore',
  });
  let server: ChildProcess;
  const start = async (): Promise<void> => {
    // A group of its own: the script starts Erlang as a child.
    server = spawn(join(programs, 'rabbitmq-server'), [], { env, detached: true, stdio: 'ignore' });
    const deadline = Date.now() + 180_000;
    while (!(await accepts(Number(port)))) {
      if (Date.now() > deadline) throw new Error('RabbitMQ did not start in three minutes');
      await sleep(200);
    }
  };
  const kill = async (): Promise<void> => {
    const { pid, exitCode, signalCode } = server;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const exited = once(server, 'exit');
    process.kill(-pid, 'SIGKILL');
    await exited;
  };
  await start();
  return {
    url: `amqp://guest:guest@127.0.0.1:${port}`,
    async restart() {
      await kill();
      await start();
    },
    async [Symbol.asyncDispose]() {
      await kill();
      naming.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  await Promise.all(servers.map((server) => once(server.listen(0, '127.0.0.1'), 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

async function accepts(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (result: boolean): void => {
      socket.destroy();
      resolve(result);
    };
    // A server that listens, and is not ready yet, does not answer the header of the protocol.
    socket.setTimeout(2000, () => end(false));
    socket.on('error', () => end(false));
    socket.on('connect', () => socket.write('AMQP\0\0\x09\x01'));
    socket.on('data', () => end(true));
  });
}
