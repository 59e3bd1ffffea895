import { type Micros, toMicros } from '../../primitives/instants.ts'
import type { Row } from '../../warehouse/schema.ts'
import { missing, missingIndex } from '../missing-resource.ts'
import { rowsOf } from '../resources/pick.ts'
import type { RouteRequest } from '../server/handler.ts'
import { childOf, outcomeOf } from './child-of.ts'

/** Readers of validated parameters; the endpoint's schema guarantees their types. */

/** Returns a text, or null if it was not given. */
export function textParameter(request: RouteRequest, name: string): string | null {
  return (request.parameters[name] as string | undefined) ?? null
}

/** Returns a required parameter, or one of the path. */
export function requiredText(request: RouteRequest, name: string): string {
  return request.parameters[name] as string
}

/** Returns an integer, or its default. */
export function integerParameter(request: RouteRequest, name: string): number {
  return request.parameters[name] as number
}

/** Returns a version or revision, or null if it was not given. */
export function ordinalParameter(request: RouteRequest, name: string): number | null {
  return (request.parameters[name] as number | undefined) ?? null
}

/** Returns a flag; false if it was not given. */
export function flagParameter(request: RouteRequest, name: string): boolean {
  return request.parameters[name] === true
}

/** Returns a list; empty if it was not given. */
export function listParameter(request: RouteRequest, name: string): readonly string[] {
  return (request.parameters[name] as readonly string[] | undefined) ?? []
}

/** Returns an instant, or null if it was not given. */
export function instantParameter(request: RouteRequest, name: string): Micros | null {
  const text = textParameter(request, name)
  return text === null ? null : toMicros(text, name)
}

/** @throws {ServiceError} INDEX_NOT_FOUND */
export function requireIndex(request: RouteRequest): Row {
  const index_id = requiredText(request, 'index_id')
  const catalog = request.reader.catalog(request.as_of)
  const row = catalog.index(index_id)
  if (row !== null) return row
  throw missingIndex(index_id, catalog.indexes())
}

/** @throws {ServiceError} INDEX_NOT_FOUND, INDEX_VERSION_NOT_FOUND */
export function requireVersion(request: RouteRequest): Row {
  const index = requireIndex(request)
  const version_id = requiredText(request, 'version_id')
  const row = request.reader.catalog(request.as_of).version(version_id)
  return childOf(row, { index_id: index.index_id }, 'index_version', version_id)
}

/** @throws {ServiceError} MARKET_NOT_FOUND */
export function requireMarket(request: RouteRequest): Row {
  const market_id = requiredText(request, 'market_id')
  const row = request.reader.catalog(request.as_of).market(market_id)
  if (row !== null) return row
  throw missing('market', market_id)
}

/** @throws {ServiceError} MARKET_OUTCOME_NOT_FOUND */
export function requireOutcome(request: RouteRequest, market: Row): string {
  return String(outcomeOf(rowsOf(market.outcomes), requiredText(request, 'outcome_id')).outcome_id)
}

/** Returns the requested outcome of a market; null: every outcome. @throws {ServiceError} MARKET_OUTCOME_NOT_FOUND */
export function optionalOutcome(request: RouteRequest, market: Row): string | null {
  return textParameter(request, 'outcome_id') === null ? null : requireOutcome(request, market)
}
