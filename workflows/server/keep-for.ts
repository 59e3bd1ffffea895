import { connectionOptions } from './connection-options.ts'
import type { ServerAddress } from './server-file.ts'

/** Time for which our own server keeps ended workflows: long enough to look into last night, short enough for its disk. */
const KEPT_MS = 12 * 3_600_000

/** Sets the retention of a server's namespace, after which ended workflows are deleted and their space is used again. */
export async function keepEndedFor(server: ServerAddress, kept_ms = KEPT_MS): Promise<void> {
  const { Connection } = await import('@temporalio/client')
  const connection = await Connection.connect(await connectionOptions(server))
  try {
    await connection.workflowService.updateNamespace({
      namespace: server.namespace,
      config: { workflowExecutionRetentionTtl: { seconds: (kept_ms / 1_000) as never } },
    })
  } finally {
    await connection.close()
  }
}
