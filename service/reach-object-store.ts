import { join } from 'node:path'
import { useObjectStores } from '../warehouse/store/s3/object-store-access.ts'
import { isObjectStore } from '../warehouse/store/s3/s3-location.ts'
import type { Settings } from './configuration.ts'

/** Lets this process and its threads reach the object store of the settings; without effect if the warehouse is in a folder. */
export function reachObjectStore(settings: Settings): void {
  if (!isObjectStore(settings.warehouse)) return
  const { aws_endpoint_url: endpoints, aws_region: region } = settings
  useObjectStores({
    endpoints: endpoints.length > 0 ? endpoints : [`https://s3.${region}.amazonaws.com`],
    region,
    access_key_id: settings.aws_access_key_id,
    secret_access_key: settings.aws_secret_access_key,
    session_token: settings.aws_session_token,
    folder: join(settings.cache, 'object-store'),
    copies_bytes_max: settings.object_copies_mb * 1_000_000,
  })
}
