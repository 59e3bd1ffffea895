import type { TemporalClient } from '../../workflows/client/connect.ts'
import type { Output } from '../output.ts'

/** Workflow that a command waits for. */
type Followed = {
  readonly workflow_id: string
  /** Whether it is this command's: another one is only watched. Asked when the command is interrupted. */
  readonly isOwn: () => boolean
  /** Command that cancels it; that of Temporal's own program when left out. */
  readonly cancel_command?: string
  cancel(): Promise<void>
}

/**
 * Waits for a workflow. The signal cancels the command's own workflow, whose end is still waited for; it only ends the watching of
 * another one.
 * @param wait aborts nothing by itself; it stops looking when its signal is aborted
 * @throws what `wait` throws; the signal's reason
 */
export function untilInterrupted<T>(
  { workflow_id, isOwn, cancel, cancel_command }: Followed,
  connected: TemporalClient,
  { output, signal }: { readonly output: Output; readonly signal: AbortSignal },
  wait: (over: AbortSignal) => Promise<T>,
): Promise<T> {
  const over = new AbortController()
  const how = `to cancel it: ${cancel_command ?? cancelCommand(connected, workflow_id)}`
  return new Promise<T>((resolve, reject) => {
    const leave = (why: string) => {
      output.note(`${why}; ${how}`)
      over.abort()
      reject(signal.reason)
    }
    const stop = () => {
      if (!isOwn()) return leave(`stopped watching ${workflow_id}, which this command did not start: it goes on`)
      output.note(`cancelling ${workflow_id}`)
      cancel().catch(() => leave(`the Temporal server does not answer: ${workflow_id} was not cancelled`))
    }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    const settled = () => signal.removeEventListener('abort', stop)
    wait(over.signal).finally(settled).then(resolve, reject)
  })
}

/** Command of Temporal's own program that cancels a workflow. */
function cancelCommand({ server: { address, namespace } }: TemporalClient, workflow_id: string): string {
  return `temporal workflow cancel --address ${address} --namespace ${namespace} --workflow-id ${workflow_id}`
}
