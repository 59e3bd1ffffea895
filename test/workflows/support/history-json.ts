import type { History } from '@temporalio/common/lib/proto-utils.js'
import proto from '@temporalio/proto'

const { History: Type } = proto.temporal.api.history.v1

/** A history as a file holds it: nothing of the machine that recorded it. Longs, enums and bytes are text. */
export function historyJson(workflow_id: string, history: History): object {
  const plain = Type.toObject(Type.fromObject(history), { longs: String, enums: String, bytes: String })
  const text = JSON.stringify({ workflow_id, ...plain })
    .replace(/"stackTrace":"(?:[^"\\]|\\.)*"/g, '"stackTrace":""')
    .replace(/\d+@[\w.-]+/g, 'worker')
  return JSON.parse(text) as object
}

/** Parses the output of historyJson for a worker's replay. Children are named by their parent's id. */
export function historyOf(json: object): { readonly workflow_id: string; readonly history: History } {
  const { workflow_id, ...history } = json as { workflow_id: string } & Record<string, unknown>
  return { workflow_id, history: Type.fromObject(history) }
}
