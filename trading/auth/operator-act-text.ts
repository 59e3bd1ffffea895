import { canonicalJson, contentHash } from '../../primitives/canonical-json.ts'
import { sha256Hex } from '../../primitives/ids.ts'

/** Parts of an operator's act that its signatures cover. */
export type SignedAct = {
  readonly act_id: string
  readonly actor: string
  readonly reason: string
  /** RFC 3339; an act is valid for a day from then. */
  readonly issued_at: string
  /** `sha256:<hex>` of the RFC 8785 form of the command as it is recorded. */
  readonly command_hash: string
}

/** Signature of an act by one registered key, lower-case hex. */
export type ActSignature = { readonly operator_key_id: string; readonly signature: string }

/** Returns a command as it is recorded and signed: the material of an API key, a sealed secret or a public key, by its SHA-256. A recorded one stays. */
export function recordedCommand(command: object): object {
  const { kind, key, ...others } = command as { readonly kind?: string; readonly key?: { readonly material?: string } }
  const { material, ...named } = key ?? {}
  if (kind !== 'add_key' || material === undefined) return command
  return { kind, ...others, key: { ...named, material_hash: `sha256:${sha256Hex(material)}` } }
}

/** Returns the hash by which signatures cover a command. */
export function commandHash(command: object): string {
  return contentHash(JSON.parse(JSON.stringify(recordedCommand(command))))
}

/**
 * Returns the text that operators sign: RFC 8785 of the act.
 * @param deployment id of the first operator key of the database, so that an act of one is none of another
 */
export function operatorActText(deployment: string, act: SignedAct): string {
  const { act_id, actor, reason, issued_at, command_hash } = act
  return canonicalJson({
    ...{ purpose: 'tidemark/operator-act/1', deployment, act_id, actor, reason, issued_at, command_hash },
  })
}
