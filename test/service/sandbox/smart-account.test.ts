import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newSignerKey } from '../../../client/signing/new-signer-key.ts'
import { createTradingClient } from '../../../client/trading/trading-client.ts'
import { readChainAddress, writeChainAddress } from '../../../service/sandbox/chain/chain-file.ts'
import { type RunningSmartAccount, startSmartAccount } from '../../../service/sandbox/smart-account.ts'
import { operatorReads } from '../../../trading/store/operator/operator-reads.ts'
import { ROOT } from '../../support/source-files.ts'
import { tempFolder } from '../../support/temp-folder.ts'
import { compileContracts } from '../../support/trading/compile-contracts.ts'
import { withDatabase } from '../../support/trading/postgres.ts'
import {
  ENVIRONMENT,
  MARKET_ID,
  OUTCOME_ID,
  SEALING,
  type ServedAccounts,
  serveAccounts,
} from '../../support/trading/served-accounts.ts'

const FOLDER = join(ROOT, 'service/sandbox/chain')
const CODE = join(FOLDER, 'smart-account-code.ts')
const DIGITS = 100

/** The file with the code of the contract, as `UPDATE_CONTRACT=1` writes it. */
function codeFile(code: string): string {
  const lines = code.match(new RegExp(`.{1,${DIGITS}}`, 'g'))!.map((line) => `  '${line}',`)
  const said =
    '/** Creation code of smart-account.sol; the address of its owner follows as one word. A test compiles the source again. */'
  return `${said}\nexport const SMART_ACCOUNT_CODE = [\n${lines.join('\n')}\n].join('')\n`
}

test('the code is that of the source beside it (UPDATE_CONTRACT=1 writes it)', () => {
  const { bytecode } = compileContracts(join(FOLDER, 'smart-account.sol'))('SmartAccount')
  if (process.env.UPDATE_CONTRACT === '1') writeFileSync(CODE, codeFile(bytecode))
  expect(readFileSync(CODE, 'utf8')).toBe(codeFile(bytecode))
})

describe('a smart account of a sandbox', () => {
  const database = withDatabase()
  const home = tempFolder()
  let served: ServedAccounts
  let base_url: string
  let running: RunningSmartAccount

  beforeAll(async () => {
    served = await serveAccounts((await database()).pool, { rpc_url: () => readChainAddress(home) })
    await served.app.listen({ host: '127.0.0.1', port: 0 })
    const { port } = served.app.server.address() as { port: number }
    base_url = `http://127.0.0.1:${port}`
    running = await start()
  }, 180_000)
  afterAll(async () => {
    await running?.stop()
    await served.close()
  })

  const start = (environment: string = ENVIRONMENT) =>
    startSmartAccount({ home, environment }, (work) =>
      work({
        ...{ client: served.engine, reads: operatorReads(served.pool), sealing: SEALING },
        ...{ home, environment, note: () => undefined },
      }),
    )
  const terms = {
    market_id: MARKET_ID,
    outcome_id: OUTCOME_ID,
    side: 'BUY',
    quantity: '10',
    maximum_fee: '10',
  } as const
  const clientOf = (over: object = {}) => createTradingClient({ ...running.account, base_url, retry: ONCE, ...over })
  const place = (over: object = {}) => clientOf(over).placeOrder({ ...terms, limit_price: '0.40' })

  test('places, amends and cancels orders that its contract accepts', async () => {
    const order = await place()
    expect(order).toMatchObject({
      ...{ status: 'open', signature_type: 'erc1271', signer: running.account.smart_account_address },
    })
    const client = clientOf()
    const amended = await client.amendOrder(order.order_id, order.version, { ...terms, limit_price: '0.41' })
    expect(amended.replacement.status).toBe('open')
    expect((await client.cancelOrder(amended.replacement.order_id)).status).toBe('canceled')
  })

  test('is refused for another key, and for a contract that is not there', async () => {
    await expect(place({ signer_private_key: newSignerKey().private_key })).rejects.toMatchObject({
      code: 'SIGNATURE_ORDER_MISMATCH',
    })
    await expect(place({ smart_account_address: `0x${'11'.repeat(20)}` })).rejects.toMatchObject({
      code: 'SIGNATURE_ORDER_MISMATCH',
    })
    expect(() => clientOf({ smart_account_address: '0x12' })).toThrow('smart_account_address is "0x12"')
  })

  test('has one chain at a time, in a sandbox alone', async () => {
    await expect(start()).rejects.toMatchObject({ code: 'VALIDATION_USAGE_INVALID' })
    await expect(start('production')).rejects.toThrow('TIDEMARK_ENVIRONMENT is production; allowed: sandbox')
  })

  test('is unsupported without its chain, and the same after a new start', async () => {
    const { account } = running
    await running.stop()
    await expect(place()).rejects.toMatchObject({ code: 'SIGNATURE_TYPE_UNSUPPORTED' })
    running = await start()
    expect(running.account).toEqual(account)
    expect((await place()).status).toBe('open')
  })

  test('keeps its keys in files of its owner alone', () => {
    for (const name of ['smart-account.json', 'chain.json'])
      expect((statSync(join(home, 'sandbox', name)).mode & 0o777).toString(8)).toBe('600')
  })

  test.each(['http://10.0.0.1:8545', 'https://example.org', 'file:///etc/passwd'])(
    'asks no chain of another machine: %s',
    async (rpc_url) => {
      const other = tempFolder()
      await writeChainAddress(other, rpc_url)
      expect(readChainAddress(other)).toBeNull()
    },
  )
})

const ONCE = { attempts_max: 1, within_ms: 1_000 }
