import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { privateKeyToAccount } from 'viem/accounts'
import { wrapTypedDataSignature } from 'viem/experimental/erc7739'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signAuthorization } from '../../../client/signing/sign-authorization.ts'
import { signOrder } from '../../../client/signing/sign-order.ts'
import { keccakText, type MessageSigner } from '../../../client/signing/typed-signer.ts'
import { orderMessage, type WantedOrder } from '../../../protocol/order/order-terms.ts'
import { type LocalChain, startChain } from '../../../service/sandbox/chain/start-chain.ts'
import { createSignatureVerifier, type SignatureVerifier } from '../../../trading/auth/signature-verifier.ts'
import { SEED } from '../../support/seed.ts'
import { sized } from '../../support/sized.ts'
import { checkWalletSignatures } from '../../support/trading/check-wallet-signatures.ts'
import { walletDeployer } from '../../support/trading/deploy-wallets.ts'
import { typedOrder } from '../../support/trading/signature-cases.ts'
import { highTwin, VECTOR } from '../../support/trading/signing-world.ts'

const account = privateKeyToAccount(VECTOR.private_key)
const stranger = privateKeyToAccount(`0x${'02'.repeat(32)}`)
const wanted: WantedOrder = {
  account_id: 'acct_test',
  market_id: 'mkt_test',
  outcome_id: 'out_yes',
  side: 'BUY',
  limit_price: '0.52',
  quantity: '100.00',
  client_order_id: 'c1',
  maximum_fee: '0.10',
  maximum_notional: '52.00',
}

let anvil: LocalChain
let verifier: SignatureVerifier
let deploy: ReturnType<typeof walletDeployer>
let plain: `0x${string}`
let nested: `0x${string}`
beforeAll(async () => {
  anvil = await startChain()
  deploy = walletDeployer(anvil.rpc_url)
  plain = await deploy('PlainWallet', account.address)
  nested = await deploy('NestedWallet', account.address)
  verifier = await createSignatureVerifier({ environment: 'sandbox', recovery: 'viem', rpc_url: anvil.rpc_url })
})
afterAll(async () => {
  await verifier?.close()
  await anvil?.stop()
})

const plainSigner = (by = account): MessageSigner => ({ kind: 'erc1271', account: by, wallet: plain })
const nestedSigner = (by = account, wallet = nested): MessageSigner => ({
  kind: 'erc1271_erc7739',
  account: by,
  wallet,
  wallet_domain: { name: 'Vault', version: '1', chain_id: 31337 },
})

/** The verdict on a signed order, with changes of what was sent. */
async function judge(signer: MessageSigner, change: Partial<Awaited<ReturnType<typeof signOrder>>> = {}) {
  const { order_signature, signature_type, ...order } = { ...(await signOrder(wanted, signer, 'sandbox')), ...change }
  return verifier.verifyOrder({ order, signature: order_signature, signature_type })
}

describe('erc1271', () => {
  test('a wallet whose owner signed: the block and the answer are kept', async () => {
    const { verdict, contract_call, signer } = await judge(plainSigner())
    expect(verdict).toBeNull()
    expect(signer).toBe(plain)
    expect(contract_call).toEqual({
      block_number: expect.stringMatching(/^\d+$/),
      result: `0x1626ba7e${'0'.repeat(56)}`,
    })
  })

  test('another owner, another order, no signature', async () => {
    const refused = [
      await judge(plainSigner(stranger)),
      await judge(plainSigner(), { quantity: '100.0' }),
      await judge(plainSigner(), { order_signature: '0x' }),
    ]
    expect(refused.map(({ verdict }) => verdict?.code)).toEqual(Array(3).fill('SIGNATURE_ORDER_MISMATCH'))
    expect(refused[0]!.verdict?.facts).toMatchObject({ expected_signer: plain, contract_result: expect.any(String) })
  })

  test('hex of half a byte is no signature', async () => {
    expect((await judge(plainSigner(), { order_signature: '0x123' })).verdict?.code).toBe('SIGNATURE_INVALID')
  })

  test('the type is declared: a contract is no account, an account is no contract', async () => {
    expect((await judge(plainSigner(), { signature_type: 'eoa' })).verdict?.code).toBe('SIGNATURE_ORDER_MISMATCH')
    const { verdict } = await judge({ kind: 'eoa', account }, { signature_type: 'erc1271' })
    expect(verdict?.code).toBe('SIGNATURE_ORDER_MISMATCH')
    expect(verdict?.message).toContain('no contract at this address')
  })

  test.each(['RevertingWallet', 'EndlessWallet', 'TruthfulWallet', 'RightAlignedWallet', 'ShortWallet'] as const)(
    '%s does not say that a signature is valid',
    async (name) => {
      const wallet = await deploy(name)
      const { verdict } = await judge({ kind: 'erc1271', account, wallet })
      expect(verdict?.code).toBe('SIGNATURE_ORDER_MISMATCH')
    },
  )

  test('a precompile that repeats its input is no wallet', async () => {
    const wallet = `0x${'4'.padStart(40, '0')}` as const
    expect((await judge({ kind: 'erc1271', account, wallet })).verdict?.code).toBe('SIGNATURE_ORDER_MISMATCH')
  })
})

describe('erc1271_erc7739', () => {
  test('a wallet whose owner signed the message nested in one of the wallet', async () => {
    const { verdict, contract_call } = await judge(nestedSigner())
    expect(verdict).toBeNull()
    expect(contract_call?.result).toBe(`0x1626ba7e${'0'.repeat(56)}`)
  })

  test('the wrapping is that of viem', async () => {
    const order = await signOrder(wanted, nestedSigner(), 'sandbox')
    const inner = order.order_signature.slice(0, 132) as `0x${string}`
    const typed = typedOrder(orderMessage(order, keccakText))
    expect(wrapTypedDataSignature({ ...typed, signature: inner })).toBe(order.order_signature)
  })

  test('a signature for one wallet of an owner is none of the other', async () => {
    const twin = await deploy('NestedWallet', account.address)
    const order = await signOrder(wanted, nestedSigner(account, twin), 'sandbox')
    const { verdict } = await judge(nestedSigner(), { order_signature: order.order_signature })
    expect(verdict?.code).toBe('SIGNATURE_ORDER_MISMATCH')
  })

  test('a plain signature of the owner is not wrapped', async () => {
    const order = await signOrder(wanted, { kind: 'erc1271', account, wallet: nested }, 'sandbox')
    const { verdict } = await judge(nestedSigner(), { order_signature: order.order_signature })
    expect(verdict?.code).toBe('SIGNATURE_INVALID')
  })

  test.each([
    ['message', { limit_price: '0.53' }],
    ['message', { account_id: 'acct_other' }],
  ] as const)('a wrapping for another %s is told before the wallet is asked (%o)', async (what, change) => {
    const { verdict, contract_call } = await judge(nestedSigner(), change)
    expect(verdict?.code).toBe('SIGNATURE_ORDER_MISMATCH')
    expect(verdict?.message).toContain(`another ${what}`)
    expect(contract_call).toBeNull()
  })

  test('a wrapping for another environment is told', async () => {
    const order = await signOrder(wanted, nestedSigner(), 'production')
    const { verdict } = await judge(nestedSigner(), { ...order })
    expect(verdict?.message).toContain('another domain')
    expect(verdict?.facts?.signed_domain_separator).not.toBe(verdict?.facts?.domain_separator)
  })

  test('another owner', async () => {
    expect((await judge(nestedSigner(stranger))).verdict?.code).toBe('SIGNATURE_ORDER_MISMATCH')
  })
})

describe('authorizations of smart accounts', () => {
  const key = { account_id: 'acct_test', key_id: 'key_0123456789abcdef', scopes: ['orders:write'] }

  test.each([
    ['erc1271', plainSigner],
    ['erc1271_erc7739', nestedSigner],
  ] as const)('%s: the wallet is the owner', async (_type, signerOf) => {
    const judged = async (by: typeof account) => {
      const { authorization_signature, ...signed } = await signAuthorization(key, signerOf(by), 'sandbox')
      return verifier.verifyAuthorization({ ...signed, signature: authorization_signature, key })
    }
    expect(await judged(account)).toMatchObject({ verdict: null, contract_call: { block_number: expect.any(String) } })
    expect((await judged(stranger)).verdict?.code).toBe('SIGNATURE_AUTHORIZATION_MISMATCH')
  })
})

test('random orders of plain and nested wallets, signed well and badly', async () => {
  const report = await checkWalletSignatures(verifier, deploy, SEED, sized(40, 100))
  expect(report.violations).toEqual([])
  expect(report.accepted).toBeGreaterThan(0)
})

test('what a wallet takes is its own affair: a high s too, where the contract does not look', async () => {
  const order = await signOrder(wanted, plainSigner(), 'sandbox')
  const { verdict } = await judge(plainSigner(), {
    order_signature: highTwin(order.order_signature),
    order_nonce: order.order_nonce,
  })
  expect(verdict).toBeNull()
})

describe('a node that does not answer as one', () => {
  test.each([
    ['nobody listens', null],
    ['an answer that is no JSON', '<html>'],
    ['no block number', '{"result":"soon"}'],
    ['an error of the node', '{"error":{"code":-32005,"message":"limit exceeded"}}'],
    ['more than anybody asked for', `"${'x'.repeat(100_000)}"`],
  ])('%s: the verdict is not known', async (_what, answer) => {
    const server = createServer((_request, response) => response.end(answer))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    if (answer === null) server.close()
    const rpc_url = `http://127.0.0.1:${port}`
    const blind = await createSignatureVerifier({ environment: 'sandbox', recovery: 'viem', rpc_url })
    const { order_signature, signature_type, ...order } = await signOrder(wanted, plainSigner(), 'sandbox')
    const asked = blind.verifyOrder({ order, signature: order_signature, signature_type })
    await expect(asked).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    server.close()
  })
})
