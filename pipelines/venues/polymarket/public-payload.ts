import { parseJsonText } from '../../text/json-scan.ts'
import { type JsonText, objectOf } from '../../text/json-text.ts'
import { isAccountData, type KeptPayload, withoutText } from '../account-data.ts'
import type { RedactionRule } from '../outcomes.ts'
import { parseRecord } from '../quarantine.ts'
import type { VenuePayload } from '../record.ts'
import { ENDPOINTS } from './endpoints.ts'

/** Fields of a Data API trade that name no account; all others (wallet, name, bio, picture ...) are removed. */
const TRADE_FIELDS: readonly string[] = [
  'side',
  'asset',
  'token_id',
  'conditionId',
  'condition_id',
  'size',
  'price',
  'timestamp',
  'transactionHash',
  'transaction_hash',
  'title',
  'slug',
  'eventSlug',
  'event_slug',
  'outcome',
  'outcomeIndex',
  'outcome_index',
]
const PAGING_FIELDS: readonly string[] = ['limit', 'offset', 'has_more']
const ACCOUNT_PARAMETERS: readonly string[] = ['user', 'proxyWallet', 'proxy_wallet', 'maker', 'taker']

/**
 * Returns a payload as it may be kept: without the accounts that the Data API adds to every trade and request. The reader gives
 * the same records for it; numbers become texts of the same digits. A trade list that cannot be parsed is kept without its
 * text. Other endpoints name no accounts, so their payloads stay as they are.
 */
export function publicPayload(payload: VenuePayload): KeptPayload {
  if (isAccountData(payload)) return withoutText(payload)
  if (payload.endpoint !== ENDPOINTS.data_trades) return { payload }
  const request = publicRequest(payload.request)
  const text = publicText(payload.text)
  const redactions: RedactionRule[] = [text === null ? 'UNREADABLE_ACCOUNTS' : 'ACCOUNT_FIELDS']
  if (request !== payload.request) redactions.push('ACCOUNT_PARAMETERS')
  return { payload: { ...payload, request, text: text ?? '' }, redactions }
}

function publicRequest(request: string | null): string | null {
  const [path, query] = request?.split('?') ?? []
  if (path === undefined || query === undefined) return request
  const kept = [...new URLSearchParams(query)].filter(([name]) => !ACCOUNT_PARAMETERS.includes(name))
  return kept.length === 0 ? path : `${path}?${new URLSearchParams(kept)}`
}

function publicText(text: string): string | null {
  const parsed = parseRecord(() => parseJsonText(text))
  return 'record' in parsed ? JSON.stringify(publicTrades(parsed.record)) : null
}

function publicTrades(document: JsonText): JsonText {
  if (Array.isArray(document)) return (document as readonly JsonText[]).map((row) => pickFields(row, TRADE_FIELDS))
  const parsed = parseRecord(() => objectOf(document))
  if ('reason' in parsed) return null
  const { data, pagination } = parsed.record
  if (data === undefined && parsed.record.price !== undefined) return pickFields(document, TRADE_FIELDS)
  return {
    data: Array.isArray(data) ? publicTrades(data) : null,
    pagination: pickFields(pagination ?? null, PAGING_FIELDS),
  }
}

/** Picks the fields that may be kept; null if there are none. A nested value could name anyone, so it is emptied. */
function pickFields(value: JsonText, fields: readonly string[]): JsonText {
  const parsed = parseRecord(() => objectOf(value))
  if ('reason' in parsed) return null
  const kept = Object.entries(parsed.record).filter(([field]) => fields.includes(field))
  return Object.fromEntries(kept.map(([field, content]) => [field, isNested(content) ? [] : content]))
}

function isNested(value: JsonText | undefined): boolean {
  return typeof value === 'object' && value !== null
}
