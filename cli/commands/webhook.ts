import { readFile } from 'node:fs/promises'
import { Option } from 'commander'
import type { VerifiedWebhook } from '../../client/webhooks/verify-webhook.ts'
import { parseId } from '../../primitives/ids.ts'
import { wallClock } from '../../primitives/wall-clock.ts'
import type { Output } from '../../service/output.ts'
import { DELIVERY_STATUSES } from '../../vocabulary/webhook.ts'
import { type CommandContext, defineCommand, onAction } from '../command.ts'
import { parsePort } from '../options.ts'
import { onTrading } from '../trading/on-engine.ts'
import { printRecord } from '../trading/print-record.ts'

/** `tidemark webhook ...`: a receiver to try webhooks with, and what operators see of those of accounts. */
export function webhookCommand(context: CommandContext) {
  return defineCommand('webhook', 'receive webhooks on this machine; list and test those of accounts')
    .addCommand(listenCommand(context))
    .addCommand(listCommand(context))
    .addCommand(deliveriesCommand(context))
    .addCommand(testCommand(context))
}

type ListenFlags = { readonly port?: number; readonly host?: string; readonly secretFile: string }

/** `tidemark webhook listen`: verifies each delivery and prints its event. */
function listenCommand(context: CommandContext) {
  const command = defineCommand('listen', 'receive deliveries, verify and print them, until stopped (NDJSON)', [
    'tidemark webhook listen --port 4242 --secret-file hook.secret',
  ])
    .requiredOption('--secret-file <file>', 'file with the secret of the webhook; it may be written later')
    .addOption(new Option('--port <port>', 'port to listen on (default: one that is free)').argParser(parsePort))
    .option('--host <address>', 'address to listen on (default: 127.0.0.1, only this machine)')
  return onAction<ListenFlags>(command, context, async ({ options, output, signal }) => {
    const { listenWebhooks } = await import('../../service/webhooks/listen-webhooks.ts')
    const { port = 0, host = '127.0.0.1', secretFile } = options
    const secrets = async () => (await readFile(secretFile, 'utf8').catch(() => '')).split(/\s+/).filter(Boolean)
    let printed: Promise<unknown> = Promise.resolve()
    const onDelivery = (delivery: VerifiedWebhook) => {
      printed = printed.then(() => printDelivery(output, delivery))
    }
    const { url, closed } = await listenWebhooks({ host, port, secrets, onDelivery, signal })
    output.note(`receives at ${url}`)
    await closed
    await printed
    return undefined
  })
}

async function printDelivery(output: Output, delivery: VerifiedWebhook): Promise<void> {
  if (delivery.verified) await output.record(delivery.event)
  else output.note(`refused a delivery: ${delivery.reason}`)
}

/** `tidemark webhook list`: webhooks of all accounts, or of one. */
function listCommand(context: CommandContext) {
  const command = defineCommand('list', 'list webhooks with their state', [
    'tidemark webhook list --account acct_north',
  ]).option('--account <id>', 'only those of this account')
  return onTrading<{ readonly account?: string }>(command, context, async ({ options, output }, { pool }) => {
    const { listWebhookViews } = await import('../../trading/store/operator/webhook-views.ts')
    const account_id = options.account === undefined ? null : parseId('acct', options.account, 'account')
    const webhooks = await listWebhookViews(pool, account_id, wallClock())
    if (output.json) return void (await output.document(webhooks))
    await output.list(
      ['webhook', 'account', 'url', 'status', 'reason', 'failing since', 'pending'],
      webhooks.map((one) => [
        one.webhook_id,
        one.account_id,
        one.url,
        one.status,
        one.disabled_reason,
        one.failing_since,
        one.pending_count,
      ]),
    )
  })
}

type DeliveryFlags = { readonly status?: string }

/** `tidemark webhook deliveries`: the newest deliveries of a webhook. */
function deliveriesCommand(context: CommandContext) {
  const command = defineCommand('deliveries', 'list the newest 100 deliveries of a webhook', [
    'tidemark webhook deliveries whk_4711 --status failed',
  ])
    .argument('<webhook>', 'id of the webhook')
    .addOption(new Option('--status <status>', 'only in this state').choices([...DELIVERY_STATUSES]))
  return onTrading<DeliveryFlags>(command, context, async ({ args, options, output }, { pool }) => {
    const { createTradingReads } = await import('../../trading/store/read/create-trading-reads.ts')
    const { deliveryResource } = await import('../../trading/projections/webhook.ts')
    const webhook_id = parseId('whk', args[0], 'webhook')
    const filters = { status: options.status ?? null }
    const { rows } = await createTradingReads(pool).webhookDeliveries(webhook_id, filters, { after: null, limit: 100 })
    const deliveries = rows.map((row) => deliveryResource(row, row.attempts))
    if (output.json) return void (await output.document(deliveries))
    await output.list(
      ['created', 'delivery', 'event', 'type', 'status', 'attempts', 'last answer', 'next attempt'],
      deliveries.map((one) => {
        const last = one.attempts.at(-1)
        const answered = last === undefined ? null : (last.status_code ?? last.failure)
        const { created_at, delivery_id, event_id, event_type, status, attempt_count, next_attempt_at } = one
        return [created_at, delivery_id, event_id, event_type, status, attempt_count, answered, next_attempt_at]
      }),
    )
  })
}

/** `tidemark webhook test`: what a receiver answers to this machine. */
function testCommand(context: CommandContext) {
  const command = defineCommand('test', 'send a signed test event from this machine, without recording it', [
    'tidemark webhook test whk_4711',
  ]).argument('<webhook>', 'id of the webhook')
  return onTrading<object>(command, context, async ({ args, settings, output, signal }, { pool }) => {
    const { readWebhookRow } = await import('../../trading/store/operator/webhook-views.ts')
    const { testReceiver } = await import('../../service/webhooks/test-receiver.ts')
    const webhook = await readWebhookRow(pool, parseId('whk', args[0], 'webhook'))
    const result = await testReceiver(webhook, settings, { pool, note: (text) => output.note(text) }, signal)
    await printRecord(output, result)
    return result.failure === null ? 0 : 1
  })
}
