import { parseEligibilityPolicy } from '../../../pipelines/eligibility/policy.ts'
import {
  isEligibilityPolicy,
  isIndexDefinition,
  parseChange,
  parseRestatement,
} from '../../../pipelines/governance/change-form.ts'
import { impactDigest, impactText } from '../../../pipelines/governance/impact/impact-document.ts'
import type { AnyImpact } from '../../../pipelines/governance/impact/parse-impact.ts'
import { inspectDefinition } from '../../../pipelines/index/parse-definition.ts'
import { notAllowed } from '../../../primitives/errors.ts'
import { readInput } from '../../review/read-input.ts'
import { eligibilityImpact } from './eligibility-impact.ts'
import { endImpact } from './end-impact.ts'
import type { ImpactRequest } from './impact-request.ts'
import { methodologyImpact } from './methodology-impact.ts'
import { versionImpact } from './version-impact.ts'

/** An impact with the exact text whose digest runners sign. */
export type ComputedImpact = {
  readonly document: AnyImpact
  readonly text: string
  readonly impact_digest: string
}

/**
 * Computes what a change would have done, from what is known at as_of alone: whoever runs it gets the same bytes.
 * @throws {ServiceError} VALIDATION_*, INDEX_LINK_UNSTABLE, INDEX_GEARING_LIMIT, INDEX_SOURCE_NOT_ELIGIBLE, INDEX_CAP_*
 */
export async function computeImpact(request: ImpactRequest): Promise<ComputedImpact> {
  const document = await documentOf(request)
  const text = impactText(document)
  return { document, text, impact_digest: impactDigest(text) }
}

async function documentOf(request: ImpactRequest): Promise<AnyImpact> {
  const { file } = request
  const text = await readInput(file)
  if (isIndexDefinition(text)) return versionImpact(request, inspectDefinition(text, file))
  if (isEligibilityPolicy(text)) return eligibilityImpact(request, parseEligibilityPolicy(text, file))
  if (parseRestatement(text, file) !== null) {
    const allowed = 'another change: the proposal of a restatement lists each level itself'
    throw notAllowed('VALIDATION_DEFINITION_INVALID', `keys of ${file}`, 'restatement', allowed)
  }
  const { kind, content } = parseChange(text, file)
  if (kind === 'methodology') return methodologyImpact(request, content)
  return endImpact(request, { kind: kind as 'index_status' | 'cessation', content })
}
