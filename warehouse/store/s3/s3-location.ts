/** Place of a warehouse in an object store. */
export type S3Location = {
  readonly bucket: string
  /** Path of the warehouse in the bucket, without slashes at its ends; empty: the whole bucket. */
  readonly prefix: string
}

const SCHEME = 's3://'
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

/** Accepted forms of an address, for messages. */
export const S3_FORM = 's3://bucket/prefix'

/** Reports whether the root of a warehouse names an object store rather than a folder. */
export function isObjectStore(root: string): boolean {
  return root.startsWith(SCHEME)
}

/** Parses the address of a warehouse in an object store; null: it is not one. */
export function parseS3Location(root: string): S3Location | null {
  if (!isObjectStore(root)) return null
  const [bucket = '', ...path] = root.slice(SCHEME.length).replace(/\/+$/, '').split('/')
  const is_plain = path.every((part) => part !== '' && part !== '.' && part !== '..')
  return BUCKET.test(bucket) && is_plain ? { bucket, prefix: path.join('/') } : null
}
