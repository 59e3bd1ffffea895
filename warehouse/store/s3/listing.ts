import { XMLParser } from 'fast-xml-parser'

/** Page of a listing. `next`: token of the page after it; null: this is the last one. */
export type ListingPage = { readonly objects: readonly ListedObject[]; readonly next: string | null }
type ListedObject = { readonly name: string; readonly size_bytes: number; readonly modified_ms: number }

const PARSER = new XMLParser({ parseTagValue: false, isArray: (name) => name === 'Contents' })

type Answer = {
  readonly ListBucketResult?: {
    readonly Contents?: readonly { readonly Key: string; readonly Size: string; readonly LastModified: string }[]
    readonly NextContinuationToken?: string
  }
}

/** Parses the answer to a listing (ListObjectsV2). */
export function parseListing(xml: string): ListingPage {
  const { ListBucketResult: result } = PARSER.parse(xml) as Answer
  const objects = (result?.Contents ?? []).map((object) => ({
    name: object.Key,
    size_bytes: Number(object.Size),
    modified_ms: Date.parse(object.LastModified),
  }))
  return { objects, next: result?.NextContinuationToken ?? null }
}

/** Returns the code of an error's answer, such as NoSuchBucket; empty: it has none. */
export function errorCodeOf(xml: string): string {
  return /<Code>([A-Za-z]+)<\/Code>/.exec(xml)?.[1] ?? ''
}
