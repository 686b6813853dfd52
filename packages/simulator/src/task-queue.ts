/** An action at a time. */
export interface Task {
  readonly at: number;
  /** Decides between tasks of the same time: the one that was added first runs first. */
  readonly order: number;
  readonly action: () => unknown;
  isCancelled: boolean;
}

/** Tasks in the order of their times. */
export interface TaskQueue {
  add(at: number, action: () => unknown): Task;
  /** Returns the next task that is not cancelled. */
  first(): Task | undefined;
  /** Removes the next task, which `first` has returned. */
  take(task: Task): Task;
  clear(): void;
}

/** Creates a queue: a binary heap, because thousands of repetitions can wait. */
export function createTaskQueue(): TaskQueue {
  const heap: Task[] = [];
  let count = 0;
  const isBefore = (leftIndex: number, rightIndex: number): boolean => {
    const [left, right] = [heap[leftIndex], heap[rightIndex]];
    if (left === undefined || right === undefined) return false;
    return left.at < right.at || (left.at === right.at && left.order < right.order);
  };
  const swap = (leftIndex: number, rightIndex: number): void => {
    const [left, right] = [heap[leftIndex], heap[rightIndex]];
    if (left === undefined || right === undefined) return;
    heap[leftIndex] = right;
    heap[rightIndex] = left;
  };
  const rise = (from: number): void => {
    for (let index = from; index > 0;) {
      const parent = (index - 1) >> 1;
      if (!isBefore(index, parent)) return;
      swap(index, parent);
      index = parent;
    }
  };
  const sink = (): void => {
    for (let index = 0; ;) {
      const left = 2 * index + 1;
      const child = isBefore(left + 1, left) ? left + 1 : left;
      if (!isBefore(child, index)) return;
      swap(index, child);
      index = child;
    }
  };
  const removeFirst = (): void => {
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    heap[0] = last;
    sink();
  };
  return {
    add(at, action) {
      const task: Task = { at, order: (count += 1), action, isCancelled: false };
      heap.push(task);
      rise(heap.length - 1);
      return task;
    },
    first() {
      while (heap[0]?.isCancelled === true) removeFirst();
      return heap[0];
    },
    take(task) {
      if (heap[0] === task) removeFirst();
      return task;
    },
    clear() {
      heap.length = 0;
    },
  };
}
