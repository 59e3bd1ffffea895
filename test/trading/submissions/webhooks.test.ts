import { beforeEach, describe, expect, test } from 'vitest'
import { WEBHOOKS } from '../../../protocol/limits.ts'
import type { DeletedWebhook, IssuedWebhook, Webhook, WebhookOrder } from '../../../protocol/resources/webhook.ts'
import { SubmissionMaker } from '../../support/trading/submissions.ts'
import { MemoryEngine } from '../support/memory-engine.ts'

let engine: MemoryEngine
let maker: SubmissionMaker

beforeEach(() => {
  engine = new MemoryEngine()
  maker = new SubmissionMaker()
  engine.submit(...maker.setUp(['acct_a', 'acct_b'], '1000'))
})

const create = (account_id = 'acct_a') => engine.ask<IssuedWebhook>(maker.webhook(account_id))
const events = () => engine.rows('engine_event').filter(({ kind }) => kind === 'webhook')
const actions = () => events().map(({ body }) => (body as { action: string }).action)

test('a new webhook is enabled; its secret is shown once, and never in an event or a kept answer', () => {
  const submission = maker.webhook('acct_a')
  const first = engine.ask<IssuedWebhook>(submission)
  expect([first.status, first.data.status, first.data.secret, first.location]).toEqual([
    ...[201, 'enabled', 'whsec_shown', `/v1/webhooks/${first.data.webhook_id}`],
  ])
  const again = engine.ask<IssuedWebhook>({ ...submission, identity: { ...submission.identity, nonce: 'another' } })
  expect([again.replayed, again.data.secret, again.data.secret_already_returned]).toEqual([true, null, true])
  expect(engine.rows('webhook')).toHaveLength(1)
  expect(JSON.stringify(engine.rows('engine_event'))).not.toContain('whsec_')
  expect(JSON.stringify(engine.rows('engine_event'))).not.toContain('"material"')
})

test('an account has five at most, another one its own; a deleted one leaves its place', () => {
  const made = Array.from({ length: WEBHOOKS.of_account_max }, () => create().data)
  const refused = create()
  expect([refused.status, refused.error?.code]).toEqual([422, 'WEBHOOK_LIMIT_EXCEEDED'])
  expect(create('acct_b').status).toBe(201)
  const gone = engine.ask<DeletedWebhook>(maker.webhookWrite('acct_a', made[0]!.webhook_id, 'delete_webhook', {}))
  expect(gone.data.webhook_id).toBe(made[0]!.webhook_id)
  expect(engine.rows('webhook')[0]).toMatchObject({ material: '', previous_material: null })
  expect(create().status).toBe(201)
})

test('two in one batch cannot both be the last', () => {
  for (let n = 1; n < WEBHOOKS.of_account_max; n += 1) create()
  const answers = engine.submit(maker.webhook('acct_a'), maker.webhook('acct_a'))
  expect(answers.map(({ status }) => status)).toEqual([201, 422])
})

describe('a change', () => {
  test('has the fields that are given, and leaves the others', () => {
    const { webhook_id } = create().data
    const update = (changes: object) =>
      engine.ask<Webhook>(maker.webhookWrite('acct_a', webhook_id, 'update_webhook', { changes })).data
    expect(update({ description: 'desk' })).toMatchObject({ description: 'desk', projection_version: 2 })
    const off = update({ status: 'disabled' })
    expect([off.status, off.disabled_reason, off.description]).toEqual(['disabled', 'requested', 'desk'])
    const on = update({ status: 'enabled', event_types: ['order.canceled'] })
    expect([on.status, on.disabled_reason, on.event_types]).toEqual(['enabled', null, ['order.canceled']])
    expect(actions()).toEqual(['created', 'updated', 'updated', 'updated'])
  })

  test.each([
    ['update_webhook', { changes: { status: 'disabled' } }],
    ['delete_webhook', {}],
    ['rotate_webhook_secret', { overlap_seconds: 0, material: 'cd', secret: 'whsec_new' }],
    ['test_webhook', {}],
    ['replay_webhook', { from_cursor: 0, delivery_ids: [] }],
  ] as const)('%s of another account cannot be told from none', (kind, fields) => {
    const { webhook_id } = create().data
    const ask = (id: string) => engine.ask(maker.webhookWrite('acct_b', id, kind, fields as never))
    const [theirs, nobodys] = [ask(webhook_id), ask('whk_absent')]
    expect([theirs.status, theirs.error?.code]).toEqual([404, 'WEBHOOK_NOT_FOUND'])
    expect(theirs.error!.message.replace(webhook_id, 'whk_absent')).toBe(nobodys.error!.message)
    expect(actions()).toEqual(['created'])
  })

  test('of another account is not found either in a batch with its own', () => {
    const { webhook_id } = create().data
    const [own, foreign] = engine.submit(
      maker.webhookWrite('acct_a', webhook_id, 'test_webhook', {}),
      maker.webhookWrite('acct_b', webhook_id, 'test_webhook', {}),
    )
    expect([own!.status, foreign!.status, foreign!.error?.code]).toEqual([200, 404, 'WEBHOOK_NOT_FOUND'])
  })

  test('of a deleted one is refused', () => {
    const { webhook_id } = create().data
    engine.ask(maker.webhookWrite('acct_a', webhook_id, 'delete_webhook', {}))
    expect(engine.ask(maker.webhookWrite('acct_a', webhook_id, 'test_webhook', {})).error?.code).toBe(
      'WEBHOOK_NOT_FOUND',
    )
  })
})

test('a rotation keeps the former secret for its overlap, and without one drops it', () => {
  const { webhook_id } = create().data
  const rotate = (overlap_seconds: number, material: string) =>
    engine.ask<IssuedWebhook>(
      maker.webhookWrite('acct_a', webhook_id, 'rotate_webhook_secret', {
        overlap_seconds,
        material,
        secret: 'whsec_2',
      }),
    )
  const { data } = rotate(60, 'cd')
  expect([data.secret, data.secret_version, data.previous_secret_valid_until !== null]).toEqual(['whsec_2', 2, true])
  expect(engine.rows('webhook')).toMatchObject([{ material: 'cd', previous_material: 'ab' }])
  expect(rotate(0, 'ef').data).toMatchObject({ secret_version: 3, previous_secret_valid_until: null })
  expect(engine.rows('webhook')).toMatchObject([{ material: 'ef', previous_material: null, previous_until: null }])
})

describe('a test or replay', () => {
  const replay = (webhook_id: string, from_cursor: number | null, delivery_ids: readonly string[] = []) =>
    engine.ask<WebhookOrder>(maker.webhookWrite('acct_a', webhook_id, 'replay_webhook', { from_cursor, delivery_ids }))

  test('names the deliveries to come', () => {
    const { webhook_id } = create().data
    const asked = engine.ask<WebhookOrder>(maker.webhookWrite('acct_a', webhook_id, 'test_webhook', {})).data
    expect([asked.delivery_ids.length, asked.from_cursor]).toEqual([1, null])
    const two = replay(webhook_id, null, ['whd_a', 'whd_b']).data.delivery_ids
    expect(new Set([...two, ...asked.delivery_ids]).size).toBe(3)
    expect(replay(webhook_id, 0).data).toMatchObject({ from_cursor: 0, delivery_ids: [] })
    expect(actions()).toEqual(['created', 'test_requested', 'replay_requested', 'replay_requested'])
  })

  test('is refused from beyond the newest sequence, and of a disabled webhook', () => {
    const { webhook_id } = create().data
    const newest = engine.state.engine_sequence
    expect(replay(webhook_id, newest).status).toBe(200)
    const beyond = replay(webhook_id, newest + 100)
    expect([beyond.status, beyond.error?.code]).toEqual([400, 'VALIDATION_BODY_INVALID'])
    const changes = { status: 'disabled' } as const
    engine.ask(maker.webhookWrite('acct_a', webhook_id, 'update_webhook', { changes }))
    const refused = engine.ask<Webhook>(maker.webhookWrite('acct_a', webhook_id, 'test_webhook', {}))
    expect([refused.status, refused.error?.code, refused.data.status]).toEqual([409, 'WEBHOOK_DISABLED', 'disabled'])
  })

  test('waits among twenty at most', () => {
    const { webhook_id } = create().data
    const asked = Array.from({ length: WEBHOOKS.waiting_max + 1 }, () =>
      maker.webhookWrite('acct_a', webhook_id, 'test_webhook', {}),
    )
    const statuses = engine.submit(...asked).map(({ status }) => status)
    expect(statuses).toEqual([...Array(WEBHOOKS.waiting_max).fill(200), 422])
  })
})

describe('the service that delivers', () => {
  const disable = (webhook_id: string, projection_version: number) =>
    engine.ask<{ readonly disabled: boolean }>(
      maker.operate({ kind: 'disable_webhook', webhook_id, projection_version, disabled_reason: 'gone' }),
    )

  test('disables a webhook at the version that failed', () => {
    const { webhook_id } = create().data
    expect(disable(webhook_id, 1).data.disabled).toBe(true)
    expect(engine.rows('webhook')).toMatchObject([{ status: 'disabled', disabled_reason: 'gone' }])
    expect(actions()).toEqual(['created', 'disabled'])
  })

  test('leaves one that was changed since', () => {
    const { webhook_id } = create().data
    const changes = { url: 'https://other.example.com/' }
    engine.ask(maker.webhookWrite('acct_a', webhook_id, 'update_webhook', { changes }))
    expect(disable(webhook_id, 1).data.disabled).toBe(false)
    expect(engine.rows('webhook')).toMatchObject([{ status: 'enabled' }])
  })

  test('names one that exists', () => {
    expect(disable('whk_absent', 1)).toMatchObject({ status: 400, error: { code: 'VALIDATION_USAGE_INVALID' } })
  })
})
