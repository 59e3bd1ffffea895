import { createHmac, randomBytes } from 'node:crypto'
import type { Micros } from '../../primitives/instants.ts'
import { signedWebhookText, WEBHOOK_HEADERS, WEBHOOK_SECRET_PREFIX } from '../../protocol/signing/webhook-signature.ts'
import { type KeyEncryptionKey, sealSecret, unsealSecret } from '../../trading/auth/seal-secret.ts'
import type { WebhookRow } from '../../trading/projections/rows.ts'

const SECRET_BYTES = 32

/** Creates a secret: as its receiver gets it once, and sealed for the database. */
export function newWebhookSecret(
  webhook_id: string,
  sealing: KeyEncryptionKey,
): { readonly secret: string; readonly material: string } {
  const bytes = randomBytes(SECRET_BYTES)
  const material = sealSecret(sealing, webhook_id, bytes)
  return { secret: `${WEBHOOK_SECRET_PREFIX}${bytes.toString('base64')}`, material }
}

/** Returns the headers that sign a delivery, with the former secret too while that is valid. @param now instant of the attempt */
export function signatureHeaders(
  row: Pick<WebhookRow, 'webhook_id' | 'material' | 'previous_material' | 'previous_until'>,
  sealing: KeyEncryptionKey,
  message: { readonly event_id: string; readonly body: string },
  now: Micros,
): Readonly<Record<string, string>> {
  const { webhook_id, material, previous_material, previous_until } = row
  const overlaps = previous_material !== null && previous_until !== null && previous_until > now
  const materials = overlaps ? [material, previous_material] : [material]
  const timestamp_s = String(Math.floor(now / 1_000_000))
  const text = signedWebhookText(message.event_id, timestamp_s, message.body)
  const signatures = materials.map((sealed) => {
    const key = unsealSecret(sealing, webhook_id, sealed)
    return `v1,${createHmac('sha256', key).update(text).digest('base64')}`
  })
  return {
    [WEBHOOK_HEADERS.id]: message.event_id,
    [WEBHOOK_HEADERS.timestamp]: timestamp_s,
    [WEBHOOK_HEADERS.signature]: signatures.join(' '),
  }
}
