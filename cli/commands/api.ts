import { once } from 'node:events'
import { Option } from 'commander'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { parsePort } from '../options.ts'

/** `tidemark api`: serves the public API and its streams from a warehouse that another process writes. */
export function apiCommand(context: CommandContext) {
  const command = defineCommand('api', 'serve the public API and its streams from the warehouse, until stopped', [
    'tidemark api',
    'tidemark api --port 0 --warehouse /data/warehouse',
  ])
    .addOption(
      new Option('--port <port>', 'port to listen at; 0 finds a free one (default: 8080)').argParser(parsePort),
    )
    .option('--host <address>', 'address to listen at (default: 127.0.0.1, this machine alone)')
  return onAction<{ port?: number; host?: string }>(command, context, async ({ options, settings, output, signal }) => {
    const { serveApi } = await import('../../api/serve.ts')
    const api = await serveApi({
      warehouse_root: settings.warehouse,
      environment: settings.environment,
      host: options.host ?? settings.host,
      port: options.port ?? settings.port,
      ...(settings.cursor_secret === '' ? {} : { cursor_secret: Buffer.from(settings.cursor_secret) }),
      logger: { error: (facts, message) => output.note(`${message}: ${describe(facts)}`) },
    })
    const { base_url, stream_url } = api
    await (output.json ? output.document({ base_url, stream_url }) : output.line(`ready ${base_url}`))
    if (!signal.aborted) await once(signal, 'abort')
    await api.close()
  })
}

function describe(facts: unknown): string {
  const { error } = facts as { error?: unknown }
  return error instanceof Error ? (error.stack ?? error.message) : JSON.stringify(facts)
}
