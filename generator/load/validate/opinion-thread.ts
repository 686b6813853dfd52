import { answerRequests } from '../../execution/thread.ts';
import { checkOpenapi } from './check-openapi.ts';

// The thread of `askSwaggerParser`.
answerRequests(checkOpenapi);
