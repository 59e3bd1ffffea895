import { ServiceError } from '../../primitives/errors.ts'
import { type Instant, type Micros, toMicros } from '../../primitives/instants.ts'
import type { ReadSession } from '../../warehouse/read/session.ts'
import { type ReplayTarget, type ResolvedTarget, resolveTarget } from './replay-target.ts'

/**
 * Resolves a target, and its named version as if in force from an instant on. @param in_force_from null: as it really was
 * @throws {ServiceError} as resolveTarget; VALIDATION_USAGE_INVALID: an instant is given and no version is named
 */
export async function resolveAsIf(
  target: ReplayTarget,
  session: ReadSession,
  in_force_from: Instant | null,
): Promise<ResolvedTarget> {
  if (in_force_from === null) return resolveTarget(target, session)
  if (target.version !== null)
    return asIfInForce(await resolveTarget(target, session), toMicros(in_force_from, 'in_force_from'))
  const message = `--in-force-from is ${in_force_from} for ${target.name}; allowed: with INDEX@VERSION or FILE@VERSION`
  throw new ServiceError('VALIDATION_USAGE_INVALID', message, { in_force_from })
}

/**
 * Returns INDEX@VERSION or FILE@VERSION as if that version had been in force from an instant on: the index as published until then, linked to the
 * version there. A version that was in force by then continues unchanged. A target without a named version is unchanged.
 */
export function asIfInForce(target: ResolvedTarget, from: Micros): ResolvedTarget {
  const { spec, in_force } = target
  const named = spec.versions.at(-1)
  const start = Math.max(from, spec.base_date)
  if (in_force === undefined || named === undefined || named.effective_from <= start) return target
  const before = spec.versions
    .filter((version) => version.effective_from < start)
    .map((version) => ({ ...version, effective_to: Math.min(version.effective_to ?? start, start) }))
  const versions = [...before, { ...named, effective_from: start }]
  // The published link belongs to another instant, so it is computed again.
  const as_if = { ...target, spec: { ...spec, versions }, as_if_from: start }
  if (target.published_links === undefined) return as_if
  const links = [...target.published_links].filter(([id]) => id !== named.index_version_id)
  return { ...as_if, published_links: new Map(links) }
}
