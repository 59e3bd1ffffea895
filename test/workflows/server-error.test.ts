import { expect, test, vi } from 'vitest'
import { reportRetry } from '../../service/exit-codes.ts'
import { serverError } from '../../workflows/client/server-error.ts'
import { workerNote } from '../../workflows/worker/run-worker.ts'

const SERVER = { address: '127.0.0.1:7233', ui_url: null, namespace: 'default' }
const AWAY = expect.stringMatching(/^Temporal does not answer at 127\.0\.0\.1:7233; allowed: a running server/)

test('a call that a loaded server did not answer is no internal error', () => {
  const answer = Object.assign(new Error('4 DEADLINE_EXCEEDED: Deadline exceeded'), {
    code: 4,
    details: 'Deadline exceeded after 10.0s',
    metadata: {},
  })
  const failed = Object.assign(new Error('Failed to describe schedule', { cause: answer }), { name: 'ServiceError' })
  const problem = vi.fn()
  reportRetry({ problem }, 'worker', serverError(failed, SERVER))
  expect(problem).toHaveBeenCalledWith(
    'the Temporal server did not do what was asked: Failed to describe schedule: Deadline exceeded after 10.0s; retrying',
    { code: 'SERVICE_UNAVAILABLE' },
  )
  expect(serverError(answer, SERVER)).toMatchObject({
    code: 'SERVICE_UNAVAILABLE',
    message: 'the Temporal server did not do what was asked: Deadline exceeded after 10.0s',
  })
  const bug = new TypeError('x is not a function')
  expect(serverError(bug, SERVER)).toBe(bug)
})

const REFUSED =
  'Status { code: Unavailable, message: "tcp connect error", source: Some(tonic::transport::Error(Transport, ConnectError(ConnectError("tcp connect error", 127.0.0.1:7233, Os { code: 111, kind: ConnectionRefused, message: "Connection refused" })))) }'
const LOST =
  'Namespace default was not found or otherwise could not be described: Status { code: Unknown, message: "transport error", source: Some(tonic::transport::Error(Transport, hyper::Error(Io, Kind(ConnectionReset)))) }'

test.each([
  [
    'a call of a client',
    'No connection established. Last error: Error: connect ECONNREFUSED 127.0.0.1:7233. Resolution note:',
  ],
  ['a call that was under way', 'read ECONNRESET'],
  ['a proxy whose server is away', 'upstream connect error or disconnect: connect: connection refused'],
])('a server that is away has one sentence: %s', (_, details) => {
  const answer = Object.assign(new Error(`14 UNAVAILABLE: ${details}`), { code: 14, details, metadata: {} })
  const failed = Object.assign(new Error('Failed to describe schedule', { cause: answer }), { name: 'ServiceError' })
  expect(serverError(failed, SERVER)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: AWAY })
})

test('a worker that cannot begin says so in one sentence, without the structures of its client', () => {
  const transport = (message: string) =>
    serverError(Object.assign(new Error(message), { name: 'TransportError' }), SERVER)
  for (const text of [REFUSED, LOST])
    expect(transport(text)).toMatchObject({ code: 'SERVICE_UNAVAILABLE', message: AWAY })
  expect(transport('Status { code: PermissionDenied, message: "no \\"x\\"", metadata: {} }')).toMatchObject({
    message: 'the Temporal server at 127.0.0.1:7233 refused the worker: no \\"x\\" (PermissionDenied)',
  })
})

test('an entry of the worker’s log keeps the reason alone', () => {
  const error =
    'Status { code: Internal, message: "database or disk is full", details: b"xyz", metadata: MetadataMap {} }'
  expect(workerNote('gRPC call respond_activity_task_completed retried 6 times', { error })).toBe(
    'worker: gRPC call respond_activity_task_completed retried 6 times: database or disk is full (Internal)',
  )
})
