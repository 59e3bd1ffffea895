import { spawnSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createTradingClient, newEd25519Key } from '../../../client/index.ts'
import { linkClient } from '../../support/npm-pack.ts'
import { pythonInterpreter } from '../../support/python-interpreter.ts'
import { tidemark as runTidemark } from '../../support/run-cli.ts'
import { until } from '../../support/service-process.ts'
import { ROOT } from '../../support/source-files.ts'
import { booksAlive, clientOf, itemsOf, planOf } from './accounts.ts'
import type { Running } from './running.ts'

const QUIET_MARKET = `market:
  market_id: mkt_quiet
  title: "Does nobody else trade here?"
  outcomes: [{ outcome_id: out_quiet_yes, label: "Yes" }, { outcome_id: out_quiet_no, label: "No" }]
  trading_parameters:
    { price_min: "0.01", price_max: "0.99", price_increment: "0.01", quantity_increment: "0.01",
      minimum_quantity: "1.00", settlement_asset_id: asset_usd, shorting_permitted: true }
  fees: { schedule_id: fees_standard, taker_rate: "0.02" }
`

/** A sandbox as `npm start` opens it, tried from outside: documentation, command line, Python. */
export function tradingTests(running: Running): void {
  const { home, service } = running
  const tidemark = (...argv: readonly string[]) => runTidemark([...argv, '--home', home, '--json'])

  test('the ready file has as many funded accounts as were asked for, with all that it takes to trade, for its owner alone', () => {
    const { ready, ready_file } = service()
    expect(ready.sandbox_accounts, service().notes()).toHaveLength(4)
    for (const account of ready.sandbox_accounts) {
      expect(account).toEqual({
        account_id: expect.stringMatching(/^acct_/),
        environment: 'sandbox',
        owner_private_key: expect.stringMatching(/^0x[0-9a-f]{64}$/),
        owner_address: expect.stringMatching(/^0x[0-9a-f]{40}$/),
        key_id: expect.stringMatching(/^key_[a-z0-9]{16,32}$/),
        secret: expect.stringMatching(/^[0-9a-f]{64}$/),
        algorithm: 'hmac-sha256',
        asset_id: 'asset_usd',
        balance: '100000.000000',
      })
    }
    expect(statSync(ready_file).mode & 0o777).toBe(0o600)
    expect(statSync(join(home, 'sandbox/accounts.json')).mode & 0o777).toBe(0o600)
    expect(statSync(join(home, 'key-encryption.key')).mode & 0o777).toBe(0o600)
  })

  test('the books are alive: both makers rest orders in every market, and the taker trades', async () => {
    const { taker } = planOf(running)
    await booksAlive(running)
    await until(
      async () => {
        for await (const _ of clientOf(running, taker).fills()) return true
        return false
      },
      60_000,
      service().notes,
    )
  }, 240_000)

  test('what is traded settles by itself, within seconds', async () => {
    const read = async (...argv: readonly string[]) =>
      JSON.parse((await tidemark('settlement', ...argv)).stdout) as { readonly oldest_ms?: number | null }[]
    const confirmed = async () => (await read('list', '--state', 'confirmed', '--limit', '1')).length === 1
    await until(confirmed, 60_000, service().notes)
    // Not at every moment: a busy machine may be behind for a while, and catches up.
    const isRecent = async () => ((await read('backlog'))[0]?.oldest_ms ?? 0) < 20_000
    await until(isRecent, 60_000, service().notes)
  }, 180_000)

  test('the first page for API traders works from top to bottom; its first order has at most ten lines', async () => {
    const page = readFileSync(join(ROOT, 'docs/start/api-trader.md'), 'utf8')
    const blocks = [...page.matchAll(/```js\n(.*?)```/gs)].map(([, block]) => block!)
    expect(blocks[0]!.split('\n').filter((line) => line.trim() !== '').length).toBeLessThanOrEqual(10)
    const code = blocks.join('\n')
    const folder = join(home, 'reader')
    linkClient(folder)
    writeFileSync(join(folder, 'order.mjs'), code)
    writeFileSync(join(folder, 'ready.json'), JSON.stringify(service().ready))
    await booksAlive(running)
    const options = { cwd: folder, encoding: 'utf8' } as const
    const { status, stdout, stderr } = spawnSync(process.execPath, ['order.mjs'], options)
    expect(stderr).toBe('')
    expect(status).toBe(0)
    const [placed, canceled, ...rows] = stdout.trim().split('\n')
    expect(placed!.split(' ').slice(1)).toEqual(['filled', '5.00', expect.stringMatching(/^0/)])
    expect(placed).toMatch(/^ord_[0-9a-f]{32} filled 5\.00 0\.\d+$/)
    expect(canceled).toBe('canceled USER_CANCELED')
    expect(rows).toContainEqual(expect.stringMatching(/^fill_\d+ 0\.\d+$/))
    expect(rows.at(-1)).toMatch(/^\S+ [\d.]+$/)
  }, 120_000)

  test('the TypeScript client: every call', async () => {
    const account = { ...service().ready.sandbox_accounts[1]!, label: '', deposit: '' }
    const client = clientOf(running, account)
    await booksAlive(running)
    // Far from the makers: what rests here stays.
    const terms = { market_id: 'mkt_sandbox_tunnel', outcome_id: 'out_sandbox_tunnel_yes', side: 'BUY' } as const
    const cheap = { ...terms, limit_price: '0.02', quantity: '10.00', maximum_fee: '1.00', labels: { desk: 'test' } }
    expect(await client.preview(cheap)).toMatchObject({ status: 'accepted', executable_quantity: '0.00' })
    const placed = await client.placeOrder(cheap, { idempotency_key: 'once' })
    expect(placed).toMatchObject({ status: 'open', labels: { desk: 'test' }, reserved_amount: '0.204000' })
    const { would_fill } = await client.previewPast(cheap, { as_of: placed.created_at })
    expect(would_fill).toMatchObject({ resting: { price: '0.02', quantity: '10.00' }, taken: { quantity: '0.00' } })
    const amended = await client.amendOrder(placed.order_id, placed.version, { ...cheap, quantity: '4.00' })
    expect(amended).toMatchObject({ status: 'canceled', terminal_reason: 'REPLACED' })
    expect(amended.replacement).toMatchObject({ status: 'open', original_quantity: '4.00' })
    const stale = client.cancelOrder(amended.replacement.order_id, { expected_order_version: 99 })
    await expect(stale).rejects.toMatchObject({ code: 'ORDER_VERSION_CONFLICT', status: 409, data: { status: 'open' } })
    const items = await client.placeOrders([cheap, { ...cheap, limit_price: '0.025' }])
    expect(items.map(({ index, status, error }) => [index, status, error?.code ?? null])).toEqual([
      [0, 'accepted', null],
      [1, 'rejected', 'ORDER_TICK_SIZE_INVALID'],
    ])
    expect(await client.cancelAfter(0)).toMatchObject({ timeout_ms: null })
    expect(await client.cancelAll({ market_id: terms.market_id })).toMatchObject({ targeted_count: 2, failures: [] })
    const rejected = client.placeOrder({ ...cheap, limit_price: '0.025' })
    await expect(rejected).rejects.toMatchObject({ status: 422, data: { status: 'rejected' } })

    const taken = await client.placeOrder({ ...terms, limit_price: '0.95', quantity: '3.00', maximum_fee: '1.00' })
    expect(taken).toMatchObject({ status: 'filled', filled_quantity: '3.00' })
    const { fill_ids } = await client.order(taken.order_id)
    expect((await client.fill(fill_ids[0]!)).order_id).toBe(taken.order_id)
    const found = await itemsOf(client.fills({ order_id: taken.order_id, liquidity_role: 'taker' }))
    expect(found.map(({ fill_id }) => fill_id).sort()).toEqual([...fill_ids].sort())
    const positions = await itemsOf(client.positions({ market_id: terms.market_id, nonzero_only: true }))
    expect(positions).toMatchObject([{ outcome_id: terms.outcome_id, net_quantity: '3.00' }])
    // One row an outcome: of both, one is held at most.
    expect((await client.marketPositions(terms.market_id)).map(({ net_quantity }) => net_quantity).sort()).toEqual([
      '0.00',
      '3.00',
    ])
    expect(await itemsOf(client.balances())).toMatchObject([{ asset_id: 'asset_usd', account_id: account.account_id }])
    expect(await itemsOf(client.adjustments())).toEqual([])
    expect(await client.policy()).toMatchObject({ account_id: account.account_id, blocked: false })
    expect((await itemsOf(client.orders({ market_id: terms.market_id }))).length).toBeGreaterThanOrEqual(5)
  }, 180_000)

  test('the TypeScript client: keys of its own, of both kinds', async () => {
    const account = { ...service().ready.sandbox_accounts[1]!, label: '', deposit: '' }
    const { keys } = clientOf(running, account)
    const { public_key, private_key } = newEd25519Key()
    const own = { key_id: `key_${public_key.slice(0, 20)}`, label: 'own', algorithm: 'ed25519', public_key } as const
    expect(await keys.create({ ...own, scopes: ['orders:read'] })).toMatchObject({ secret: null, algorithm: 'ed25519' })
    const { base_url, environment } = service().ready
    const { account_id } = account
    const reader = createTradingClient({ account_id, ...own, secret: private_key, base_url, environment })
    expect((await reader.orders().next()).done).toBe(false)
    await expect(reader.policy()).rejects.toMatchObject({ code: 'AUTH_SCOPE_INSUFFICIENT', status: 403 })

    const key_id = `key_${public_key.slice(20, 40)}`
    const { secret } = await keys.create({ key_id, label: 'shared', scopes: ['account:read', 'orders:read'] })
    expect(secret).toMatch(/^[0-9a-f]{64}$/)
    const rotated = await keys.rotate(key_id, { overlap_seconds: 60 })
    expect(rotated).toMatchObject({ secret_version: 2, status: 'rotating' })
    for (const valid of [secret!, rotated.secret!]) {
      const client = createTradingClient({ account_id, key_id, secret: valid, base_url, environment })
      expect(await client.policy()).toMatchObject({ account_id })
    }
    expect(await keys.revoke(key_id, 'tried')).toMatchObject({ status: 'revoked', revoke_reason: 'tried' })
    expect((await keys.list()).map((key) => key.key_id)).toEqual(expect.arrayContaining([key_id, own.key_id]))
    expect((await itemsOf(keys.auditLog(key_id))).length).toBeGreaterThanOrEqual(3)
  }, 120_000)

  test('a client in Python, written apart, tries every private endpoint', async () => {
    const file = join(home, 'quiet.yaml')
    writeFileSync(file, QUIET_MARKET)
    for (const argv of [
      ['add', file],
      ['open', 'mkt_quiet'],
    ]) {
      expect((await tidemark('market', ...argv, '--reason', 'a test')).exit_code).toBe(0)
    }
    const python = pythonInterpreter('signing.txt', 'the private API, by a client that is written apart,')
    const script = join(ROOT, 'test/python/trading_checks.py')
    const argv = [script, service().ready_file, 'mkt_quiet', 'out_quiet_yes', 'out_quiet_no']
    const { status, stdout, stderr } = spawnSync(python, argv, { encoding: 'utf8' })
    expect(`${stdout}${stderr}`.trim()).toMatch(/^(\d+) of \1 checks agree$/)
    expect(status).toBe(0)
  }, 180_000)

  test('the commands of the first page for operators run as printed; the promises hold while it trades', async () => {
    const block = readFileSync(join(ROOT, 'docs/start/operator.md'), 'utf8')
      .split('```sh\n')
      .find((part) => part.includes('audit --trading'))!
    const answers = new Map<string, string>()
    for (const line of block.split('```')[0]!.trim().split('\n')) {
      const { exit_code, stdout } = await tidemark(...line.split(' ').slice(2))
      expect({ line, exit_code, empty: stdout === '' }).toEqual({ line, exit_code: 0, empty: false })
      answers.set(line.replace(/^npx tidemark /, ''), stdout)
    }
    const { ok, invariants } = JSON.parse(answers.get('audit --trading')!) as {
      ok: boolean
      invariants: { violations: unknown[] }[]
    }
    expect(invariants.flatMap(({ violations }) => violations)).toEqual([])
    expect(ok).toBe(true)
  }, 180_000)
}

/** Whatever a service has printed so far. */
export function secretsTest(running: Running): void {
  const { service } = running

  test('no secret and no private key is in what it prints', () => {
    const { accounts, makers, taker } = planOf(running)
    const notes = service().notes()
    for (const { secret, owner_private_key } of [...accounts, ...makers, taker]) {
      expect(notes).not.toContain(secret)
      expect(notes).not.toContain(owner_private_key.slice(2))
    }
  })
}
