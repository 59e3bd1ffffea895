import type { DefinedVersion } from './definition.ts'
import { invalid } from './definition-error.ts'
import type { Mistake } from './definition-mistakes.ts'
import type { ConstituentFile } from './definition-schema.ts'

/**
 * Returns the fields of new versions that would have no effect: whoever wrote one expects it to have one. Published versions may have
 * them, so the decoder accepts them.
 */
export function inertFields(
  versions: readonly (Pick<DefinedVersion, 'file' | 'source'> & { readonly at?: string })[],
): readonly Mistake[] {
  return versions.flatMap(({ file, source, at = `versions[${file.version}]` }) =>
    (file.constituents ?? []).flatMap((constituent, i) =>
      inertOf(constituent).map(({ name, allowed }) => {
        const field = `${at}.constituents[${i}].${name}`
        return { line: source?.lineOf(field) ?? null, fault: invalid(field, constituent[name], allowed) }
      }),
    ),
  )
}

type Inert = { readonly name: keyof ConstituentFile; readonly allowed: string }

/** Fields of a single leg; a constituent with `legs` has them in each leg. */
const LEG_FIELDS = ['source_series_id', 'outcome', 'pool_weight', 'expected_resolution_at'] as const

function inertOf(file: ConstituentFile): readonly Inert[] {
  const { legs, outcomes, pool_weight } = file
  if (legs !== undefined)
    return LEG_FIELDS.filter((name) => file[name] !== undefined).map((name) => ({
      name,
      allowed: `${name} in each leg`,
    }))
  // The outcomes of a set that are names alone share the weight of the constituent.
  const is_weighed = outcomes?.some((one) => typeof one !== 'string') ?? false
  if (pool_weight === undefined || is_weighed) return []
  return [{ name: 'pool_weight', allowed: 'none: nothing is weighed here; pool_weight belongs to the legs of a pool' }]
}
