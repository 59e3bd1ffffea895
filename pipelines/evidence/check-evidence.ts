import { deriveId, sha256Hex } from '../../primitives/ids.ts'
import type { EvidenceItem } from './evidence-item.ts'

/**
 * Describes the first item whose hash differs from its figures, or whose id is not derived from it; null: none. Of a document
 * that is not ours, only the id can be checked here.
 */
export function evidenceFault(evidence: readonly EvidenceItem[]): string | null {
  for (const item of evidence) {
    const { evidence_id, kind, component, source_uri, observed_at, content_hash, measured } = item
    const hash = measured === null ? content_hash : `sha256:${sha256Hex(measured)}`
    if (hash !== content_hash) return `evidence ${evidence_id} has the hash ${content_hash}; its figures have ${hash}`
    const id = deriveId('evd', kind, component, source_uri, observed_at, content_hash)
    if (id !== evidence_id) return `evidence ${evidence_id} does not match its content, whose id is ${id}`
  }
  return null
}

/** Returns the figures that a component was computed from; null if none are ours. */
export function figuresOf<T>(evidence: readonly EvidenceItem[], component: string): T | null {
  const measured = evidence.find((item) => item.component === component)?.measured ?? null
  return measured === null ? null : (JSON.parse(measured) as T)
}
