import type { Row } from '../../warehouse/schema.ts'

/** Returns the path that serves the document behind a methodology's content_hash, relative to the service. */
export function documentUri({ methodology_id, version }: Row): string {
  return `/docs/methodologies/${methodology_id}/${encodeURIComponent(String(version))}`
}

/** Returns the path that serves the normative text, whose hash is text_sha256. */
export function textUri(row: Row): string {
  return `${documentUri(row)}/text`
}
