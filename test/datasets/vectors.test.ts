import { createHmac, hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signAuthorization } from '../../client/signing/sign-authorization.ts'
import { signOrder } from '../../client/signing/sign-order.ts'
import { signRequest } from '../../client/signing/sign-request.ts'
import { ERROR_CODES } from '../../primitives/error-codes.ts'
import { toMicros } from '../../primitives/instants.ts'
import type { OrderToSign } from '../../protocol/order/order-terms.ts'
import { ACCESS_HEADERS, type AccessHeaders } from '../../protocol/signing/access-headers.ts'
import type { AuthorizationToSign } from '../../protocol/signing/authorization-message.ts'
import { namesOtherKey } from '../../protocol/signing/canonical-request.ts'
import { recoverAddress } from '../../protocol/signing/debug/eoa-form.ts'
import { explainRequest } from '../../protocol/signing/debug/explain-request.ts'
import { explainTyped } from '../../protocol/signing/debug/explain-typed.ts'
import { VECTOR_MAKERS } from '../../tools/vectors/vector-documents.ts'
import { type VectorCase, type VectorFile, vectorText } from '../../tools/vectors/vector-file.ts'
import { createAuthenticator } from '../../trading/auth/authenticate.ts'
import { isSignedBy } from '../../trading/auth/ed25519.ts'
import { keyEncryptionKey, newKeyEncryptionKey, sealSecret } from '../../trading/auth/seal-secret.ts'
import { createSignatureVerifier, type SignatureVerifier } from '../../trading/auth/signature-verifier.ts'
import { currentRows, latestLevel, type PublishedLevel } from '../support/as-of-rules.ts'
import { ROOT } from '../support/source-files.ts'
import { VECTOR_KEYS } from '../support/trading/request-vectors.ts'
import { memoryNonces } from '../trading/auth/support/memory-nonces.ts'

const FOLDER = join(ROOT, 'datasets/vectors')
const textOf = (name: string) => readFileSync(join(FOLDER, `${name}.json`), 'utf8')
const read = (name: string) => JSON.parse(textOf(name)) as VectorFile
const casesOf = (name: string, operation: string) => read(name).cases.filter((one) => one.operation === operation)

describe('the files', () => {
  test.each(Object.entries(VECTOR_MAKERS))('%s.json has the bytes that our code makes', (name, make) => {
    expect(textOf(name)).toBe(vectorText(make()))
  })

  test('are all described, each operation and how to run them', () => {
    const page = readFileSync(join(FOLDER, 'README.md'), 'utf8')
    const files = readdirSync(FOLDER).filter((file) => file.endsWith('.json'))
    expect(files.sort()).toEqual(
      Object.keys(VECTOR_MAKERS)
        .map((name) => `${name}.json`)
        .sort(),
    )
    for (const file of files) {
      expect(page).toContain(`## ${file}`)
      const section = page.slice(page.indexOf(`## ${file}`)).split('\n## ')[0]!
      const operations = new Set(read(file.slice(0, -'.json'.length)).cases.map(({ operation }) => operation))
      for (const operation of operations) expect(section).toContain(`\`${operation}\``)
    }
  })

  test('have cases with names of their own, an answer or a known error, and negative ones', () => {
    for (const name of Object.keys(VECTOR_MAKERS)) {
      const { cases } = read(name)
      const names = cases.map((one) => `${one.operation} ${one.name}`)
      expect(new Set(names).size).toBe(names.length)
      for (const { expected, error } of cases) expect((expected === undefined) !== (error === undefined)).toBe(true)
      for (const { error } of cases) if (error !== undefined) expect(Object.keys(ERROR_CODES)).toContain(error.code)
      expect(cases.filter(isNegative).length, name).toBeGreaterThan(0)
    }
  })
})

/** A case that ends in an error, or whose answer says that there is nothing. */
function isNegative({ expected, error }: VectorCase): boolean {
  return error !== undefined || /:null|:false|"missing"/.test(JSON.stringify(expected))
}

const sealing = keyEncryptionKey(newKeyEncryptionKey(), 'vectors')

/** Returns the key as the service stores it. */
function storedKey(key_id: string) {
  const key = VECTOR_KEYS.get(key_id)
  if (key === undefined) return null
  const material =
    key.algorithm === 'ed25519' ? key.public_key! : sealSecret(sealing, key_id, Buffer.from(key.secret, 'hex'))
  const { environment, algorithm } = key
  const lists = { scopes: [], ip_allowlist: [], limit_tier: 'standard' } as const
  const ends = { previous_material: null, previous_until: null, expires_at: null, revoked_at: null }
  return { key_id, account_id: 'acct_test', environment, algorithm, material, ...lists, ...ends }
}

type Arrival = {
  readonly environment: string
  readonly server_time_ms: number
  readonly used_nonces: readonly string[]
  readonly request: {
    readonly method: string
    readonly target: string
    readonly body: string
    readonly headers: Readonly<Record<string, string>>
  }
}

describe('requests, by the service', () => {
  test.each(casesOf('requests', 'authenticate'))('$name', async ({ input, expected, error }) => {
    const { environment, server_time_ms, used_nonces, request } = input as Arrival
    const nonces = memoryNonces()
    await nonces.open((server_time_ms - 60_000) * 1000)
    const key_id = request.headers[ACCESS_HEADERS.key_id] ?? ''
    for (const nonce of used_nonces) await nonces.keep({ key_id, nonce }, server_time_ms * 1000)
    const keys = { find: async (id: string) => storedKey(id) }
    const authenticate = createAuthenticator({ keys, nonces, environment, sealing, now: () => server_time_ms * 1000 })
    const headers = Object.fromEntries(
      Object.entries(ACCESS_HEADERS).map(([name, header]) => [name, request.headers[header] ?? null]),
    ) as AccessHeaders
    const [path, query = ''] = request.target.split('?') as [string, string?]
    const parts = {
      method: request.method,
      path,
      query,
      body_sha256: hash('sha256', request.body, 'hex'),
      headers,
      ip: '127.0.0.1',
    }
    const answer = authenticate(parts, { scopes: [] }).catch((thrown) => thrown)
    expect(await answer).toMatchObject(expected ?? error!)
  })
})

test('requests, by the client: an address that cannot be signed is refused', () => {
  for (const { input, error } of casesOf('requests', 'sign')) {
    const { key_id, request } = input as { key_id: string; request: Parameters<typeof signRequest>[0] }
    const sign = () => signRequest(request, VECTOR_KEYS.get(key_id)!)
    if (error === undefined) expect(sign()).toBeDefined()
    else expect(sign).toThrow(expect.objectContaining({ code: error.code }))
  }
})

test('requests, by the client and the service: a nonce names its Idempotency-Key', () => {
  const key = VECTOR_KEYS.values().next().value!
  for (const { input, expected } of casesOf('requests', 'bound_nonce')) {
    const { idempotency_key, random } = input as { idempotency_key: string; random: string }
    const { nonce } = expected as { nonce: string }
    const of_client = signRequest({ method: 'POST', target: '/v1/orders', idempotency_key }, key)['SVC-Access-Nonce']
    expect([of_client.slice(0, -random.length) + random, of_client.length]).toEqual([nonce, 64])
    expect(namesOtherKey(nonce, hash('sha256', idempotency_key, 'hex'))).toBe(false)
    expect(namesOtherKey(nonce, hash('sha256', `${idempotency_key}.`, 'hex'))).toBe(true)
  }
})

test('requests, by the debugger: it names the code of the service for each that it can decide', () => {
  const of_arrival = (code: string | undefined) =>
    code === 'REPLAY_REQUEST_NONCE_REUSED' || code === 'AUTH_ENVIRONMENT_MISMATCH' ? null : (code ?? null)
  for (const { name, input, error } of casesOf('requests', 'authenticate')) {
    const { server_time_ms, request } = input as Arrival
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([header, value]) => [header.toLowerCase(), value]),
    )
    const key = VECTOR_KEYS.get(request.headers[ACCESS_HEADERS.key_id] ?? '')
    const check = (signed: string, signature: string) => isSigned(key, signed, signature)
    const environment = key?.environment ?? 'sandbox'
    expect([name, explainRequest({ ...request, headers }, { environment, check, server_time_ms }).code]).toEqual([
      name,
      of_arrival(error?.code),
    ])
  }
})

/** Whether a signature of a text is of a key of the vectors. */
function isSigned(key: ReturnType<typeof VECTOR_KEYS.get>, text: string, signature: string): boolean {
  if (key === undefined) return false
  if (key.algorithm === 'hmac-sha256')
    return createHmac('sha256', Buffer.from(key.secret, 'hex')).update(text).digest('hex') === signature
  return signature.length === 128 && isSignedBy(key.public_key!, text, signature)
}

describe('typed data', () => {
  let verifiers: Readonly<Record<string, SignatureVerifier>>
  beforeAll(async () => {
    const of = (environment: string) => createSignatureVerifier({ environment, recovery: 'viem' })
    verifiers = { sandbox: await of('sandbox'), production: await of('production') }
  })
  afterAll(() => Promise.all(Object.values(verifiers).map((verifier) => verifier.close())))

  type Signed = { readonly signature: string; readonly digest: string; readonly domain_separator: string }
  type Order = { readonly environment: string; readonly private_key: `0x${string}`; readonly order: OrderToSign }

  test.each(casesOf('typed-data', 'sign_order'))('$name, by service and client', async ({ input, expected, error }) => {
    const { environment, private_key, order } = input as Order
    const { signature = '0x', digest } = (expected ?? {}) as Partial<Signed>
    const verified = verifiers[environment]!.verifyOrder({ order, signature, signature_type: 'eoa' })
    const signed = signOrder(order, { kind: 'eoa', account: privateKeyToAccount(private_key) }, environment)
    if (error === undefined) {
      expect(await verified).toMatchObject({ verdict: null, digest })
      expect((await signed).order_signature).toBe(signature)
      return
    }
    await expect(verified).rejects.toMatchObject({ code: error.code })
    // The client signs as its own address.
    if (!('signer' in order) || order.signer.length === 42)
      await expect(signed).rejects.toMatchObject({ code: error.code })
    else await signed
  })

  test.each(casesOf('typed-data', 'verify_order'))(
    '$name, by service and debugger',
    async ({ input, expected, error }) => {
      const { environment, order } = input as Order & { order: { order_signature: string } }
      const { digest, verdict, signer } = await verifiers[environment]!.verifyOrder({
        order,
        signature: order.order_signature,
        signature_type: 'eoa',
      })
      const debugged = explainTyped({ kind: 'order', name: 'order', body: order }, { environment }, recoverAddress)
      const { code, ...facts } = (error ?? {}) as { code?: string }
      if (expected !== undefined)
        expect({ verdict, digest, signer }).toEqual({ verdict: null, ...(expected as object) })
      else expect(verdict).toMatchObject({ code, facts })
      expect(debugged).toMatchObject({ code: code ?? null, facts })
    },
  )

  test.each(casesOf('typed-data', 'sign_authorization'))(
    '$name, by service and client',
    async ({ input, expected, error }) => {
      const { environment, private_key, authorization } = input as Order & { authorization: AuthorizationToSign }
      const { account: account_id, api_key_id: key_id } = authorization
      const scopes = ['account:read', 'orders:write']
      const { signature = '0x', digest } = (expected ?? {}) as Partial<Signed>
      const key = { account_id, key_id, scopes }
      const verified = verifiers[environment]!.verifyAuthorization({
        authorization,
        key,
        signature,
        signature_type: 'eoa',
      })
      if (error !== undefined) return expect(verified).rejects.toMatchObject({ code: error.code })
      expect(await verified).toMatchObject({ verdict: null, digest })
      const owner = { kind: 'eoa', account: privateKeyToAccount(private_key) } as const
      const signed = await signAuthorization({ ...key, ...authorization }, owner, environment)
      expect(signed).toMatchObject({ authorization, authorization_signature: signature })
    },
  )
})

test('as_of, by the rules that the warehouse is compared with', () => {
  const rows = (read('as-of').rows as readonly Record<string, string>[]).map((row, row_ordinal) => ({
    ...row,
    index_id: 'idx_demo',
    tick_at: toMicros(row.tick_at),
    published_at: toMicros(row.published_at),
    row_ordinal,
  })) as never as PublishedLevel[]
  for (const { name, input, expected, error } of casesOf('as-of', 'as_of')) {
    const { as_of } = input as { as_of: string }
    const answer = () => ({
      latest: latestLevel(rows, toMicros(as_of))?.observation_id ?? null,
      current: currentRows(rows, toMicros(as_of)).map((row) => row.observation_id),
    })
    if (error === undefined) expect([name, answer()]).toEqual([name, expected])
    else expect(answer).toThrow(expect.objectContaining({ code: error.code }))
  }
})
