import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RequestKey } from '../../../client/signing/sign-request.ts'
import { ENDPOINTS } from '../../../protocol/endpoints/endpoints.ts'
import { PRIVATE_ENDPOINTS, type PrivateOperationId } from '../../../protocol/endpoints/trading-endpoints.ts'
import { SCOPES, type Scope } from '../../../protocol/signing/scopes.ts'
import { undescribed } from '../../support/described-answers.ts'
import { sized } from '../../support/sized.ts'
import { assertDescribed, assertRefused } from '../../support/trading/match-private.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import { comparable, type Named, NOBODY, REQUESTS } from '../../support/trading/private-requests.ts'
import { type ServedAccounts, serveAccounts } from '../../support/trading/served-accounts.ts'

/**
 * Permissions per route, written a second time: a route without a row does not compile, and a row that differs from the
 * route's behavior fails. `foreign`: answer to another account's key that requests records of acct_a.
 */
type Rule = { readonly scope: Scope; readonly foreign: 'not found' | 'own' | 'refused account' }
const RULES: Readonly<Record<PrivateOperationId, Rule>> = {
  create_api_key: { scope: 'keys:write', foreign: 'refused account' },
  list_api_keys: { scope: 'keys:read', foreign: 'own' },
  list_signers: { scope: 'keys:read', foreign: 'own' },
  rotate_api_key: { scope: 'keys:write', foreign: 'not found' },
  revoke_api_key: { scope: 'keys:write', foreign: 'not found' },
  list_api_key_audit: { scope: 'keys:read', foreign: 'not found' },
  place_order: { scope: 'orders:write', foreign: 'refused account' },
  place_orders: { scope: 'orders:write', foreign: 'refused account' },
  mass_quote: { scope: 'orders:write', foreign: 'refused account' },
  preview_order: { scope: 'orders:write', foreign: 'refused account' },
  list_orders: { scope: 'orders:read', foreign: 'own' },
  get_order: { scope: 'orders:read', foreign: 'not found' },
  get_order_by_client_id: { scope: 'orders:read', foreign: 'not found' },
  get_queue_position: { scope: 'orders:read', foreign: 'not found' },
  cancel_order_by_client_id: { scope: 'orders:write', foreign: 'not found' },
  cancel_order: { scope: 'orders:write', foreign: 'not found' },
  cancel_orders: { scope: 'orders:write', foreign: 'own' },
  amend_orders: { scope: 'orders:write', foreign: 'refused account' },
  amend_order: { scope: 'orders:write', foreign: 'not found' },
  cancel_all_orders: { scope: 'orders:write', foreign: 'refused account' },
  list_fills: { scope: 'orders:read', foreign: 'own' },
  get_fill: { scope: 'orders:read', foreign: 'not found' },
  list_adjustments: { scope: 'orders:read', foreign: 'own' },
  list_settlements: { scope: 'settlement:read', foreign: 'own' },
  get_settlement: { scope: 'settlement:read', foreign: 'not found' },
  list_positions: { scope: 'account:read', foreign: 'own' },
  get_market_positions: { scope: 'account:read', foreign: 'own' },
  list_balances: { scope: 'account:read', foreign: 'own' },
  list_statement: { scope: 'account:read', foreign: 'own' },
  get_account_summary: { scope: 'account:read', foreign: 'own' },
  list_equity_history: { scope: 'account:read', foreign: 'own' },
  list_fee_schedules: { scope: 'account:read', foreign: 'own' },
  request_transfer: { scope: 'transfers:write', foreign: 'refused account' },
  cancel_transfer: { scope: 'transfers:write', foreign: 'not found' },
  list_transfers: { scope: 'account:read', foreign: 'own' },
  get_transfer: { scope: 'account:read', foreign: 'not found' },
  create_webhook: { scope: 'webhooks:write', foreign: 'own' },
  list_webhooks: { scope: 'account:read', foreign: 'own' },
  get_webhook: { scope: 'account:read', foreign: 'not found' },
  update_webhook: { scope: 'webhooks:write', foreign: 'not found' },
  delete_webhook: { scope: 'webhooks:write', foreign: 'not found' },
  rotate_webhook_secret: { scope: 'webhooks:write', foreign: 'not found' },
  test_webhook: { scope: 'webhooks:write', foreign: 'not found' },
  replay_webhook: { scope: 'webhooks:write', foreign: 'not found' },
  list_webhook_deliveries: { scope: 'account:read', foreign: 'not found' },
  list_webhook_events: { scope: 'account:read', foreign: 'own' },
  get_account_policy: { scope: 'account:read', foreign: 'own' },
  get_redemption_preview: { scope: 'account:read', foreign: 'own' },
  set_cancel_after: { scope: 'orders:write', foreign: 'own' },
  set_market_maker_protection: { scope: 'orders:write', foreign: 'own' },
  list_market_maker_protections: { scope: 'account:read', foreign: 'own' },
  get_market_maker_protection: { scope: 'account:read', foreign: 'own' },
  reset_market_maker_protection: { scope: 'orders:write', foreign: 'own' },
  remove_market_maker_protection: { scope: 'orders:write', foreign: 'own' },
}
/** Scopes that are included in another one. */
const INCLUDED_IN: Partial<Record<Scope, Scope>> = { 'keys:read': 'keys:write' }
const othersOf = (scope: Scope) => SCOPES.filter((given) => given !== scope && given !== INCLUDED_IN[scope])
const OPERATIONS = Object.keys(PRIVATE_ENDPOINTS) as PrivateOperationId[]

const database = withDatabase()
let served: ServedAccounts
let named: Named
type Keys = Readonly<Record<'acct_a' | 'acct_b', RequestKey>>
/** Keys of one scope each, and keys of all scopes that do not open what needs a scope. */
const one_scope = new Map<Scope, Keys>()
const all_others = new Map<Scope, Keys>()
let elsewhere: RequestKey
let revoked: RequestKey
let expired: RequestKey
let from_elsewhere: RequestKey

beforeAll(async () => {
  served = await serveAccounts((await database()).pool)
  const keysOf = async (scopes: readonly Scope[]) => {
    const of = (account_id: string) => served.newKey({ account_id, scopes })
    return { acct_a: await of('acct_a'), acct_b: await of('acct_b') }
  }
  for (const scope of SCOPES) {
    one_scope.set(scope, await keysOf([scope]))
    all_others.set(scope, await keysOf(othersOf(scope)))
  }
  elsewhere = await served.newKey({ environment: 'production' })
  revoked = await served.newKey({})
  await served.act({ kind: 'revoke_key', key_id: revoked.key_id, reason: 'test' })
  expired = await served.newKey({ expires_at: 1_600_000_000_000_000 })
  from_elsewhere = await served.newKey({ ip_allowlist: ['203.0.113.0/24'] })
  const spare = await served.newKey({})
  const place = async (account: 'acct_a' | 'acct_b', side: 'BUY' | 'SELL') => {
    const body = await served.order({ side, limit_price: '0.40' }, account)
    return served.call({ method: 'POST', url: '/v1/orders', body, key: served.keys[account] })
  }
  const order = await place('acct_a', 'BUY')
  await place('acct_b', 'SELL')
  const fills = await served.call({ method: 'GET', url: '/v1/fills' })
  const working = await served.call({
    method: 'POST',
    url: '/v1/orders',
    body: await served.order({ limit_price: '0.10' }),
  })
  expect([order.status, working.status, fills.body.data.length]).toEqual([201, 201, 1])
  const { fill_id, settlement_id } = fills.body.data[0]
  const body = { account_id: 'acct_a', direction: 'withdrawal', asset_id: 'asset_usd', amount: '1' }
  const transfer = await served.call({ method: 'POST', url: '/v1/account/transfers', body })
  const { transfer_id } = transfer.body.data
  const { order_id, client_order_id } = working.body.data
  const hook = { url: 'https://8.8.8.8/hook', event_types: ['transfer.held'] }
  const webhook = await served.call({ method: 'POST', url: '/v1/webhooks', body: hook })
  const { webhook_id } = webhook.body.data
  named = { webhook_id, transfer_id, order_id, client_order_id, fill_id, settlement_id, key_id: spare.key_id }
}, 180_000)
afterAll(() => served.close())

test('every route is in a table of endpoints: nothing is served that no rule is about', () => {
  const tables = [...Object.values(ENDPOINTS), ...Object.values(PRIVATE_ENDPOINTS)]
  const paths = tables.flatMap((endpoint) => [endpoint.path, ...('aliases' in endpoint ? endpoint.aliases : [])])
  const known = new Set(paths.map((path) => `/v1${path.replaceAll(/\{([a-z_]+)\}/g, ':$1')}`))
  // The stream, which answers 426 without an upgrade; docs/api/asyncapi.json describes it.
  known.add('/v1/ws')
  // Feeds for other programs, without a schema; docs/notices.md describes them.
  for (const feed of ['notices.atom', 'calendar.ics']) known.add(`/v1/governance/${feed}`)
  const routes = served.app.printRoutes({ commonPrefix: false, includeHooks: false })
  const found = pathsOf(routes).filter((path) => path.startsWith('/v1/'))
  expect(found.length).toBeGreaterThan(30)
  expect(found.filter((path) => !known.has(path))).toEqual([])
})

test('public data needs no scope, as it needs no key', async () => {
  const read = async (key: RequestKey | null) => {
    const got = await served.call({ method: 'GET', url: '/v1/capabilities', key })
    expect(undescribed('get_capabilities', got)).toEqual([])
    return got.status
  }
  expect(await read(null)).toBe(200)
  for (const scope of SCOPES) expect([scope, await read(one_scope.get(scope)!.acct_a)]).toEqual([scope, 200])
  expect(await read(revoked)).toBe(401)
  expect(await read(elsewhere)).toBe(403)
})

test('every public route answers without a key as with a key of any scope, and refuses a key that is not in force', async () => {
  const routes = Object.values(ENDPOINTS).map(({ operation_id, path }) => [
    operation_id,
    `/v1${path.replaceAll(/\{[a-z_]+\}/g, 'absent')}`,
  ])
  expect(routes.map(([operation_id]) => operation_id)).toEqual(
    expect.arrayContaining(['list_ratings', 'list_severity_assessments', 'get_observation_payloads']),
  )
  for (const [i, [operation_id, url]] of routes.entries()) {
    const read = async (key: RequestKey | null) => {
      const { status, body } = await served.call({ method: 'GET', url: url!, key })
      return [operation_id, status, body.error?.code ?? null]
    }
    const without = await read(null)
    expect([401, 403, 405, 429]).not.toContain(without[1])
    // Each route with the key of another scope, so that all scopes are seen without asking each route for all.
    expect(await read(one_scope.get(SCOPES[i % SCOPES.length]!)!.acct_a)).toEqual(without)
    expect(await read(revoked)).toEqual([operation_id, 401, 'AUTH_CREDENTIALS_INVALID'])
    expect(await read(elsewhere)).toEqual([operation_id, 403, 'AUTH_ENVIRONMENT_MISMATCH'])
  }
})

describe.each(OPERATIONS)('%s', (operation_id) => {
  const { scope, foreign } = RULES[operation_id]
  const ask = async (key: RequestKey | null, about = named, account: 'acct_a' | 'acct_b' = 'acct_a') =>
    served.call({ ...(await REQUESTS[operation_id](served, account, about)), key })

  /** The same request about the caller's own record, about another account's, and about nobody's. */
  const threeWays = async (of: Keys) => [
    await ask(of.acct_a),
    await ask(of.acct_b, named, 'acct_b'),
    await ask(of.acct_b, NOBODY, 'acct_b'),
  ]

  const expectClosed = async (keys: Keys) => {
    const answers = await threeWays(keys)
    for (const answer of answers) assertRefused(operation_id, answer, 'AUTH_SCOPE_INSUFFICIENT')
    expect(new Set(answers.map(({ text }) => comparable(text))).size).toBe(1)
  }

  test('all other scopes together open nothing, and tell nothing about whose record it is', async () => {
    await expectClosed(all_others.get(scope)!)
  })

  test.each(sized([], othersOf(scope)))('nor does %s alone', async (given) => {
    await expectClosed(one_scope.get(given)!)
  })

  test('without a key, with an unknown, revoked or expired one: 401', async () => {
    assertRefused(operation_id, await ask(null), 'AUTH_CREDENTIALS_INVALID')
    const unknown = { ...revoked, key_id: 'key_unknown000000000' }
    const [a, b, c] = [await ask(unknown), await ask(revoked), await ask(expired)]
    assertRefused(operation_id, a, 'AUTH_CREDENTIALS_INVALID')
    expect([comparable(b.text), comparable(c.text)]).toEqual([comparable(a.text), comparable(a.text)])
  })

  test('with a key of another environment or from another address: 403', async () => {
    assertRefused(operation_id, await ask(elsewhere), 'AUTH_ENVIRONMENT_MISMATCH')
    assertRefused(operation_id, await ask(from_elsewhere), 'AUTH_IP_NOT_ALLOWED')
  })

  const permitted = SCOPES.filter((given) => given === scope || given === INCLUDED_IN[scope])
  test.each(permitted)(`another account's key with %s alone: ${foreign}`, async (given) => {
    const key = one_scope.get(given)!.acct_b
    if (foreign === 'not found') {
      const account = 'acct_b'
      const [theirs, nobodys] = [await ask(key, named, account), await ask(key, NOBODY, account)]
      expect([theirs.status, nobodys.status]).toEqual([404, 404])
      // The request's id goes first: a short id of a record may be a part of it.
      const renamed = Object.entries(named).reduce(
        (text, [name, id]) => text.replaceAll(id, NOBODY[name as keyof Named]),
        comparable(theirs.text),
      )
      expect(renamed).toBe(comparable(nobodys.text))
      return
    }
    const got = await ask(key)
    assertDescribed(operation_id, got)
    if (foreign === 'own') {
      expect(got.status).toBeLessThan(300)
      expect(got.text).not.toContain('acct_a')
      return
    }
    if (operation_id === 'place_orders' || operation_id === 'amend_orders')
      expect(got.body.data[0].error.code).toBe('ACCOUNT_NOT_FOUND')
    else assertRefused(operation_id, got, 'ACCOUNT_NOT_FOUND')
  })

  // Last, for it may change what it is about.
  test('the owner with a key of that scope alone', async () => {
    const got = await ask(one_scope.get(scope)!.acct_a)
    assertDescribed(operation_id, got)
    expect([200, 201, 409]).toContain(got.status)
  })
})

/** Paths of the tree that Fastify prints. */
function pathsOf(tree: string): string[] {
  const open: string[] = []
  return tree.split('\n').flatMap((line) => {
    const match = /^([│ ]*)[├└]── (\S+)(?: \(.*\))?/.exec(line)
    if (match === null) return []
    const depth = match[1]!.length / 4
    open.length = depth
    open[depth] = match[2]!
    return line.includes('(') ? [open.join('')] : []
  })
}
