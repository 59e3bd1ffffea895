import { once } from '../../primitives/once.ts'
import { readDocument } from './guide-files.ts'

/** The example of an operation as it was sent to a sandbox, and its answer with long lists and texts cut. */
export type RecordedExample = {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly body: Readonly<Record<string, unknown>> | null
  readonly status: number
  readonly answer: unknown
}

/** Returns every recorded example by operation_id; tools/docs/record-examples.ts records them. */
export const recordedExamples = once(
  (): Readonly<Record<string, RecordedExample>> => JSON.parse(readDocument('docs/api/examples.json')),
)
