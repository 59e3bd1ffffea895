import { once } from 'node:events'
import { Option } from 'commander'
import { COMPLAINTS } from '../../protocol/limits.ts'
import { apiLogger } from '../../service/api-logger.ts'
import { limitHeapGrowth } from '../../service/limit-heap-growth.ts'
import { standardInputEnded } from '../../service/shutdown.ts'
import { refuseInventedData } from '../../service/up/invented-data.ts'
import { refuseUnfinished } from '../../service/usable-home.ts'
import { logPlace } from '../../warehouse/transparency/log-layout.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { metricsPortOption, parsePort } from '../options.ts'

type ApiFlags = {
  readonly metricsPort?: number
  readonly attached?: boolean
}

/**
 * `tidemark api`: serves the public API, its streams and the page from a warehouse that another process writes and, if there is a trading
 * database, the private API through its engine.
 */
export function apiCommand(context: CommandContext) {
  const command = defineCommand(
    'api',
    'serve the API, its streams and the page until stopped; with a trading database also accounts and orders',
    ['tidemark api', 'tidemark api --port 0 --warehouse /data/warehouse', 'tidemark api --metrics-port 9464'],
  )
    .addOption(portOption())
    .option('--host <address>', 'address to listen on (default: 127.0.0.1, only this machine)')
    .addOption(metricsPortOption('port of GET /metrics for Prometheus and of the page with the state of ingest'))
    .option('--attached', 'stop when standard input ends, as the child of another process')
  return onAction<ApiFlags>(command, context, async ({ options, settings, output, signal }) => {
    refuseUnfinished(settings.home)
    await refuseInventedData(settings)
    limitHeapGrowth()
    const [
      { serveApi },
      { consoleRoutes },
      { openApiTrading },
      { openWebhooks },
      { logMetrics },
      { keepingMetrics },
      { openComplaintBox },
      { watchStuck },
    ] = await Promise.all([
      import('../../api/serve.ts'),
      import('../../api/console/console-routes.ts'),
      import('../../service/trading/api-trading.ts'),
      import('../../service/webhooks/open-webhooks.ts'),
      import('../../service/metrics/log-metrics.ts'),
      import('../../service/metrics/keeping-metrics.ts'),
      import('../../operations/notices/complaint-box.ts'),
      import('../../operations/live/stuck-indexes.ts'),
    ])
    const ending = options.attached === true ? AbortSignal.any([signal, standardInputEnded()]) : signal
    const trading = await openApiTrading(settings, output)
    const webhooks = trading === null ? null : openWebhooks(trading, output)
    const stuck = await watchStuck(settings.warehouse)
    const api = await serveApi({
      ...(trading === null ? {} : { trading: trading.ports }),
      warehouse_root: settings.warehouse,
      log_place: logPlace(settings),
      file_complaint: openComplaintBox(settings.home, COMPLAINTS.waiting_max).file,
      stuck_indexes: stuck.list,
      environment: settings.environment,
      trusted_proxies: settings.trusted_proxies,
      host: settings.host,
      port: settings.port,
      metrics_host: settings.metrics_host,
      metrics_port: options.metricsPort ?? 0,
      own_metrics: (set) => {
        logMetrics(set, output)
        keepingMetrics(set, () => settings)
        webhooks?.addMetrics(set)
      },
      ...(settings.cursor_secret === '' ? {} : { cursor_secret: Buffer.from(settings.cursor_secret) }),
      logger: apiLogger(output, settings.debug),
      extra: await consoleRoutes(),
    })
    const { base_url, stream_url, metrics_url } = api
    await (output.json ? output.record({ base_url, stream_url, metrics_url }) : output.line(`ready ${base_url}`))
    if (metrics_url !== null && !output.json) output.note(`metrics ${metrics_url}`)
    webhooks?.start()
    if (!ending.aborted) await once(ending, 'abort')
    await Promise.all([api.close(), webhooks?.close()])
    stuck.end()
    await trading?.close()
  })
}

export const portOption = () =>
  new Option('--port <port>', 'port to listen on; 0 picks a free one (default: 8080)').argParser(parsePort)
