import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

/** Access of this process to object stores, read once from the settings. */
export type ObjectStoreAccess = {
  /** Addresses of the store, such as `https://s3.eu-central-1.amazonaws.com`. The first is used, and all race in the probe at start. */
  readonly endpoints: readonly string[]
  readonly region: string
  readonly access_key_id: string
  readonly secret_access_key: string
  /** Empty: none. */
  readonly session_token: string
  /** Folder of this machine for copies of objects; it may be deleted at any time. */
  readonly folder: string
  /** Size that the copies of a warehouse may have, without those that are in use. */
  readonly copies_bytes_max: number
}

const KEY = 'tidemark object store'

/** Sets the access of this process and of the threads that it starts from now on. */
export function useObjectStores(access: ObjectStoreAccess): void {
  setEnvironmentData(KEY, access)
}

/** Returns the access of this process; null: none was set. */
export function objectStoreAccess(): ObjectStoreAccess | null {
  return (getEnvironmentData(KEY) as ObjectStoreAccess | undefined) ?? null
}
