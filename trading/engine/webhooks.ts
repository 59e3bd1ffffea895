import { deriveId } from '../../primitives/ids.ts'
import { formatMicros, MICROS_PER_SECOND } from '../../primitives/instants.ts'
import { WEBHOOKS } from '../../protocol/limits.ts'
import type { DeletedWebhook, IssuedWebhook, WebhookOrder } from '../../protocol/resources/webhook.ts'
import type { WebhookAction, WebhookRequest } from '../../vocabulary/webhook.ts'
import { refuse } from '../market/refuse.ts'
import { webhookResource } from '../projections/webhook.ts'
import type { WebhookRow } from '../projections/webhook-rows.ts'
import { answered, refused } from './answers.ts'
import type { Execution } from './execution.ts'
import type { Facts } from './facts.ts'
import type {
  Answer,
  CreateWebhook,
  DeleteWebhook,
  Refusal,
  ReplayWebhook,
  RotateWebhookSecret,
  TestWebhook,
  UpdateWebhook,
  WriteIdentity,
} from './submission.ts'
import type { Issued } from './submit-keys.ts'
import { unknownRecord } from './unknown-record.ts'
import type { DisableWebhook, WebhookReplay } from './webhook-commands.ts'

/** Creates a webhook; events after this one are delivered. */
export function createWebhook(execution: Execution, facts: Facts, submission: CreateWebhook): Issued {
  const { identity, webhook, secret } = submission
  const { account_id } = identity
  const own = [...facts.webhooks.values()].filter((row) => row.account_id === account_id && row.deleted_at === null)
  if (own.length >= WEBHOOKS.of_account_max) {
    const refusal = refused(exceeded(`${own.length} webhooks exist, the maximum of an account`))
    return { answer: refusal, kept: refusal }
  }
  const { now } = execution
  const engine_sequence = execution.nextSequence()
  const row: WebhookRow = {
    ...webhook,
    ...{ account_id, status: 'enabled', disabled_reason: null },
    ...{ secret_version: 1, previous_material: null, previous_until: null },
    ...{ created_at: now, updated_at: now, deleted_at: null },
    ...{ created_sequence: engine_sequence, projection_version: 1, engine_sequence },
  }
  keep(execution, facts, row, 'created')
  return issued(execution, 201, row, secret, `/v1/webhooks/${row.webhook_id}`)
}

/** Changes the fields that are given. */
export function updateWebhook(execution: Execution, facts: Facts, submission: UpdateWebhook): Answer {
  const row = ownWebhook(facts, submission)
  if ('code' in row) return refused(row)
  const { status = row.status, ...changes } = submission.changes
  const disabled_reason = status === 'enabled' ? null : (row.disabled_reason ?? 'requested')
  const changed = move(execution, facts, row, { ...changes, status, disabled_reason }, 'updated')
  return answered(200, webhookResource(changed, execution.now))
}

/** Deletes a webhook for good. */
export function deleteWebhook(execution: Execution, facts: Facts, submission: DeleteWebhook): Answer {
  const row = ownWebhook(facts, submission)
  if ('code' in row) return refused(row)
  const { now } = execution
  const gone = { deleted_at: now, material: '', previous_material: null, previous_until: null }
  move(execution, facts, row, gone, 'deleted')
  const answer: DeletedWebhook = { webhook_id: row.webhook_id, deleted_at: formatMicros(now) }
  return answered(200, answer)
}

/** Gives a webhook a new secret; the former one signs, too, for the overlap. */
export function rotateWebhookSecret(execution: Execution, facts: Facts, submission: RotateWebhookSecret): Issued {
  const { overlap_seconds, material, secret } = submission
  const row = ownWebhook(facts, submission)
  if ('code' in row) {
    const refusal = refused(row)
    return { answer: refusal, kept: refusal }
  }
  const overlaps = overlap_seconds > 0
  const rotated = {
    material,
    secret_version: row.secret_version + 1,
    previous_material: overlaps ? row.material : null,
    previous_until: overlaps ? execution.now + overlap_seconds * MICROS_PER_SECOND : null,
  }
  return issued(execution, 200, move(execution, facts, row, rotated, 'secret_rotated'), secret, null)
}

/** Asks for a test event, which the service that delivers sends. */
export function testWebhook(execution: Execution, facts: Facts, submission: TestWebhook): Answer {
  return ask(execution, facts, submission, 'test_requested', { from_cursor: null, delivery_ids: [] })
}

/** Asks for events to be delivered again. */
export function replayWebhook(execution: Execution, facts: Facts, submission: ReplayWebhook): Answer {
  const { from_cursor, delivery_ids } = submission
  const { engine_sequence } = execution.state
  if (from_cursor !== null && from_cursor > engine_sequence) {
    const message = `from_cursor is ${from_cursor}; allowed: 0 to ${engine_sequence}, the newest sequence`
    return refused({ code: 'VALIDATION_BODY_INVALID', message, facts: { field: 'from_cursor' } })
  }
  return ask(execution, facts, submission, 'replay_requested', { from_cursor, delivery_ids })
}

/**
 * Disables a webhook that fails. One that was changed since, or deleted, stays as it is.
 * @throws {ServiceError} VALIDATION_USAGE_INVALID: the webhook is not known
 */
export function disableWebhook(execution: Execution, facts: Facts, command: DisableWebhook): object {
  const { webhook_id, projection_version, disabled_reason } = command
  const row = facts.webhooks.get(webhook_id) ?? refuse('webhook_id', webhook_id, 'a webhook that is known')
  const stands = row.projection_version === projection_version && row.status === 'enabled' && row.deleted_at === null
  if (stands) move(execution, facts, row, { status: 'disabled', disabled_reason }, 'disabled')
  return { webhook_id, disabled: stands }
}

type OfWebhook = { readonly identity: WriteIdentity; readonly webhook_id: string }

/** Finds a webhook of the caller's account; another account's is not revealed. */
function ownWebhook(facts: Facts, { identity, webhook_id }: OfWebhook): WebhookRow | Refusal {
  const row = facts.webhooks.get(webhook_id)
  if (row !== undefined && row.account_id === identity.account_id && row.deleted_at === null) return row
  return unknownRecord('webhook', webhook_id)
}

function exceeded(message: string): Refusal {
  return { code: 'WEBHOOK_LIMIT_EXCEEDED', message }
}

function ask(
  execution: Execution,
  facts: Facts,
  submission: OfWebhook,
  action: WebhookRequest,
  replay: WebhookReplay,
): Answer {
  const row = ownWebhook(facts, submission)
  if ('code' in row) return refused(row)
  const { webhook_id, status } = row
  if (status === 'disabled') {
    const message = `webhook ${webhook_id} is disabled (${row.disabled_reason}); allowed: an enabled one`
    return refused({ code: 'WEBHOOK_DISABLED', message }, webhookResource(row, execution.now))
  }
  const waiting = facts.webhooks_waiting.get(webhook_id) ?? 0
  if (waiting >= WEBHOOKS.waiting_max)
    return refused(exceeded(`${waiting} tests and replays of ${webhook_id} wait, the maximum`))
  facts.webhooks_waiting.set(webhook_id, waiting + 1)
  const engine_sequence = execution.nextSequence()
  publish(execution, row, action, engine_sequence, replay)
  const answer: WebhookOrder = {
    webhook_id,
    requested_at: formatMicros(execution.now),
    from_cursor: replay.from_cursor,
    delivery_ids:
      action === 'test_requested'
        ? [requestedDeliveryId(webhook_id, engine_sequence, 'test')]
        : replay.delivery_ids.map((id) => requestedDeliveryId(webhook_id, engine_sequence, id)),
    engine_sequence,
  }
  return answered(200, answer)
}

/** Returns the id of a delivery that a request asks for. @param of id of the former delivery, or `test` */
export function requestedDeliveryId(webhook_id: string, request_sequence: number, of: string): string {
  return deriveId('whd', webhook_id, request_sequence, of)
}

type Movable = Partial<Omit<WebhookRow, 'webhook_id' | 'account_id' | 'created_at' | 'created_sequence'>>

function move(execution: Execution, facts: Facts, row: WebhookRow, to: Movable, action: WebhookAction): WebhookRow {
  const moved: WebhookRow = {
    ...row,
    ...to,
    updated_at: execution.now,
    projection_version: row.projection_version + 1,
    engine_sequence: execution.nextSequence(),
  }
  keep(execution, facts, moved, action)
  return moved
}

/** Keeps a webhook for the batch, and publishes its change. */
function keep(execution: Execution, facts: Facts, row: WebhookRow, action: WebhookAction): void {
  facts.webhooks.set(row.webhook_id, row)
  execution.changes.webhooks.set(row.webhook_id, row)
  publish(execution, row, action, row.engine_sequence, null)
}

function publish(
  execution: Execution,
  row: WebhookRow,
  action: WebhookAction,
  engine_sequence: number,
  replay: WebhookReplay | null,
): void {
  const { webhook_id, account_id, url, description, event_types, status, disabled_reason } = row
  const { secret_version, previous_until, created_at, projection_version } = row
  execution.publish({
    ...{ kind: 'webhook', engine_sequence, at: execution.now, account_id },
    ...{ webhook_id, action, url, description, event_types, status, disabled_reason },
    ...{ secret_version, previous_until, created_at, projection_version },
    ...(replay ?? {}),
  })
}

function issued({ now }: Execution, status: number, row: WebhookRow, secret: string, location: string | null): Issued {
  const shown = webhookResource(row, now)
  const first: IssuedWebhook = { ...shown, secret, secret_already_returned: false }
  const again: IssuedWebhook = { ...shown, secret: null, secret_already_returned: true }
  return { answer: answered(status, first, location), kept: answered(status, again, location) }
}
