import { parentPort } from 'node:worker_threads'
import { createNativeRecover, type NativeRecover } from './native-recover.ts'
import { ANSWER_BYTES, TASK_BYTES } from './recover-messages.ts'

/** One answer per job, in the order of the jobs. */
void createNativeRecover().then((recover) => {
  parentPort!.on('message', (job: Uint8Array<ArrayBuffer>) => {
    const answer = answerOf(job, recover)
    parentPort!.postMessage(answer, [answer.buffer])
  })
})

function answerOf(job: Uint8Array, recoverOne: NativeRecover): Uint8Array<ArrayBuffer> {
  const tasks = job.length / TASK_BYTES
  const answer = new Uint8Array(tasks * ANSWER_BYTES)
  for (let n = 0; n < tasks; n += 1) {
    const task = job.subarray(n * TASK_BYTES, (n + 1) * TASK_BYTES)
    const address = recoverOne(task.subarray(0, 32), task.subarray(32))
    if (address === null) continue
    answer[n * ANSWER_BYTES] = 1
    answer.set(address, n * ANSWER_BYTES + 1)
  }
  return answer
}
