import type { AccountPolicy } from '../../../protocol/resources/account-policy.ts'
import type { Position } from '../../../protocol/resources/position.ts'
import { WORKING_STATUSES } from '../../../vocabulary/order.ts'
import type { Answer, Query } from '../../data/api-client.ts'
import { ApiError } from '../../data/api-error.ts'
import type { Position as StreamPosition } from '../../data/stream-position.ts'
import { type AccountRecords, type AccountUpdate, NO_RECORDS, withUpdate } from './account-records.ts'
import type { PrivateApi } from './private-api.ts'

/** State of an account and the stream cursor it was read at. */
export type AccountRead = {
  readonly records: AccountRecords
  readonly position: StreamPosition | null
  /** Kinds that the key may not read. */
  readonly hidden: readonly AccountUpdate['kind'][]
}

/** Number of newest records read of kinds that grow without bound. */
const NEWEST = 50
/** Most open orders, positions and assets shown. */
const MOST = 1000

type Page = { readonly kind: AccountUpdate['kind']; readonly answer: Answer<readonly unknown[]> | null }

/** Reads the account. */
export async function readAccount(api: PrivateApi, signal: AbortSignal): Promise<AccountRead> {
  const read = async (kind: AccountUpdate['kind'], query: Query): Promise<Page> => ({
    kind,
    answer: await orHidden(api.get<readonly unknown[]>(`/${kind}`, query, signal)),
  })
  const pages = await Promise.all([
    read('orders', { limit: NEWEST }),
    ...WORKING_STATUSES.map((status) => read('orders', { status, limit: MOST })),
    read('fills', { limit: NEWEST }),
    read('positions', { limit: MOST }),
    read('balances', {}),
    read('settlements', { limit: NEWEST }),
  ])
  const updates = pages.map(({ kind, answer }) => ({ kind, records: answer?.data ?? [] }) as AccountUpdate)
  return {
    records: updates.reduce(withUpdate, NO_RECORDS),
    position: earliest(pages),
    hidden: pages.filter(({ answer }) => answer === null).map(({ kind }) => kind),
  }
}

async function orHidden<T>(answer: Promise<Answer<T>>): Promise<Answer<T> | null> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof ApiError && error.code === 'AUTH_SCOPE_INSUFFICIENT') return null
    throw error
  }
}

/** Reads the positions with their latest marks. */
export async function readPositions(api: PrivateApi, signal: AbortSignal): Promise<readonly Position[]> {
  return (await api.get<readonly Position[]>('/positions', { limit: MOST }, signal)).data
}

/** Reads the policy of the account, which contains its id. */
export async function readPolicy(api: PrivateApi, signal: AbortSignal): Promise<AccountPolicy> {
  return (await api.get<AccountPolicy>('/account/policy', {}, signal)).data
}

/** Returns the earliest cursor: each answer has its own, and repeated messages change nothing. */
function earliest(pages: readonly Page[]): StreamPosition | null {
  const cursors = pages.flatMap(({ answer }) => answer?.meta.stream_cursor ?? [])
  return cursors.reduce<StreamPosition | null>((least, one) => (least && least.seq <= one.seq ? least : one), null)
}
