import type { FastifyInstance } from 'fastify'
import { createApiServer } from '../../../api/server/create-api-server.ts'
import { type TradingPorts, tradingPorts } from '../../../api/trading-ports.ts'
import type { RequestKey } from '../../../client/signing/sign-request.ts'
import { invariant } from '../../../primitives/errors.ts'
import { wallClock } from '../../../primitives/wall-clock.ts'
import { SCOPES } from '../../../protocol/signing/scopes.ts'
import { issueApiKey, newKeyId } from '../../../service/trading/issue-api-key.ts'
import { createSignatureVerifier } from '../../../trading/auth/signature-verifier.ts'
import type { OperatorCommand, Submission } from '../../../trading/engine/submission.ts'
import type { EngineClient } from '../../../trading/service/engine-client.ts'
import { startEngine } from '../../../trading/service/start-engine.ts'
import type { Pool } from '../../../trading/store/create-pool.ts'
import { fakeHandlers } from '../fake-handlers.ts'
import { fakeReader } from '../fake-reader.ts'
import { ACCOUNTS } from './random-submissions.ts'
import { ENVIRONMENT, SEALING, send } from './served-accounts.ts'
import { SubmissionMaker } from './submissions.ts'

type Row = Readonly<Record<string, unknown>>

/** The real engine with an open market and accounts that have keys, read over REST; submissions go past signatures. */
export class StreamWorld {
  readonly pool: Pool
  readonly trading: TradingPorts
  readonly engine: EngineClient
  readonly maker = new SubmissionMaker('w')
  readonly keys = new Map<string, RequestKey>()
  readonly stop: () => Promise<void>
  readonly #app: FastifyInstance

  private constructor(pool: Pool, trading: TradingPorts, app: FastifyInstance, stop: () => Promise<void>) {
    this.pool = pool
    this.trading = trading
    this.engine = trading.engine
    this.#app = app
    this.stop = stop
  }

  static async start(pool: Pool): Promise<StreamWorld> {
    const started = await startEngine({ pool, now: wallClock, holder: 'test', address: null })
    await started.leading
    const verifier = await createSignatureVerifier({ environment: ENVIRONMENT })
    const trading = tradingPorts({ pool, engine: started.client, verifier, sealing: SEALING })
    const app = await createApiServer({
      reader: fakeReader({}),
      handlers: fakeHandlers(),
      environment: ENVIRONMENT,
      rate_limits: 'off',
      trading,
    })
    const world = new StreamWorld(pool, trading, app, async () => {
      await app.close()
      await started.stop()
      await verifier.close()
    })
    for (const submission of world.maker.setUp(ACCOUNTS)) await world.submit(submission)
    for (const account_id of ACCOUNTS) world.keys.set(account_id, await world.#newKey(account_id))
    return world
  }

  /** Returns the engine's answer, refusals included. */
  submit(submission: Submission) {
    return this.engine.submit(submission)
  }

  act(command: OperatorCommand) {
    return this.submit(this.maker.operate(command))
  }

  /** All of a list of REST, of an account. */
  async list(account_id: string, path: string): Promise<readonly Row[]> {
    const rows: Row[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const body = await this.get(account_id, `${path}${path.includes('?') ? '&' : '?'}limit=500${from}`)
      rows.push(...body.data)
      cursor = body.page.next_cursor
    }
    return rows
  }

  async get(account_id: string, path: string) {
    const key = this.keys.get(account_id)!
    const got = await send(this.#app, { method: 'GET', url: `/v1${path}`, key })
    invariant(got.status === 200, `GET ${path} is answered: ${got.text}`)
    return got.body
  }

  async #newKey(account_id: string): Promise<RequestKey> {
    const account = await this.trading.reads.account(account_id)
    const owner_address = account!.owner_address!
    const { command, secret } = await issueApiKey(
      {
        account_id,
        owner_address,
        signer: owner_address,
        key_id: newKeyId(),
        environment: ENVIRONMENT,
        label: 'test',
        scopes: SCOPES,
        ip_allowlist: [],
        public_key: null,
        expires_at: null,
        now: wallClock(),
      },
      SEALING,
    )
    await this.act(command)
    return { key_id: command.key.key_id, environment: ENVIRONMENT, algorithm: 'hmac-sha256', secret: secret! }
  }
}
