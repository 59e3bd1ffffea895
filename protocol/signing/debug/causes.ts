/** Causes of a refused signature, each with its sentence. docs/signing.md lists them from here. */
export const CAUSES = {
  header_missing: 'a header of the signature is missing',
  header_malformed: 'a header of the signature is not in the accepted form',
  timestamp_unit: 'the timestamp is not in milliseconds',
  times_not_in_force: 'by the clock of the service, its expiry or issue is too early or too late',
  clock_differs:
    'the timestamp is outside the window around the clock of the service; set the clock or use server_time_ms',
  signature_written_otherwise: 'the signature is not written as lower-case hex without a prefix',
  signature_of_other_length: 'the signature has neither the 64 digits of hmac-sha256 nor the 128 digits of ed25519',
  algorithm_differs: 'the signature has the length of the other algorithm; the algorithm belongs to the key',
  address_malformed: 'the path or query has an escape that is not UTF-8',
  version_differs: 'the first line must end with v1',
  method_differs: 'another method was signed than sent',
  method_lower_case: 'the method was signed in lower case',
  path_without_version: 'the path was signed without /v1',
  path_with_query: 'the query was signed as part of the path',
  path_with_host: 'the scheme or host was signed as part of the path',
  path_trailing_slash: 'the signed path and the sent one differ in a slash at the end',
  path_not_normalized: 'the path was signed as sent; each segment must be decoded and encoded again',
  path_differs: 'another path was signed than sent',
  query_not_sorted: 'the query was signed in the order sent; pairs must be sorted by key, then by value',
  query_sorted_as_text: 'the pairs were sorted as whole texts; they must be sorted by key, then by value',
  query_encoded_otherwise:
    'the query was encoded otherwise; all but letters, digits and -._~ must be %XX in upper case',
  query_left_out: 'the query was not signed',
  query_with_mark: 'the query was signed with its question mark',
  query_differs: 'another query was signed than sent',
  body_left_out: 'the body was signed as empty',
  body_reserialized: 'the body was written again after signing; sign the bytes that are sent',
  body_newline: 'the signed body and the sent one differ in line ends, as editors and shells change them',
  body_not_hashed: 'the body was signed instead of its SHA-256',
  body_hash_written_otherwise: 'the hash of the body is not written as lower-case hex',
  empty_body_hashed: 'a request without a body was signed with one; hash no bytes',
  body_differs: 'another body was signed than sent',
  timestamp_differs: 'another timestamp was signed than sent',
  nonce_differs: 'another nonce was signed than sent',
  key_id_differs: 'another key id was signed than sent',
  environment_differs: 'it was signed for another environment',
  newline_at_end: 'the signed text ends with a line end; the last line has none',
  lines_joined_otherwise: 'the lines must be joined by LF alone',
  lines_in_other_order: 'the lines are in another order than the one that must be signed',
  labels_written_otherwise: 'each line must begin with its label and a colon, without a space',
  hash_signed: 'a hash of the text was signed; sign the text itself',
  secret_as_text: 'the hex digits of the secret were used as the key; use the 32 bytes that they stand for',
  message_malformed: 'the body has a value that cannot be signed',
  signature_malformed: 'the bytes are not a valid signature',
  signature_v: 'v, the last byte, is 0 or 1; it must be 27 or 28',
  signature_upper_s: 's is in the upper half of the order of the curve; use n - s and the other v',
  signature_compact: 'the signature has 64 bytes; send 65: r, s, v',
  message_version: 'the message has another version than this service verifies',
  domain_with_chain_id: 'the domain was signed with a chain id (wrong chain id: it must have none)',
  domain_with_contract: 'the domain was signed with a verifying contract; it must have none',
  domain_without_salt: 'the domain was signed without its salt',
  domain_salt_otherwise: 'the salt is not Keccak-256 of svc: and the environment',
  domain_named_otherwise: 'the domain has another name or version; the name is that of the message, the version "1"',
  decimal_rescaled: 'a decimal was signed with other trailing zeros than sent; it is signed as it is written',
  expiry_differs: 'a time was signed otherwise than sent; it is in Unix seconds, 0 for none',
  flag_differs: 'a flag was signed otherwise than sent; one that is left out is false',
  default_differs: 'a term was signed with another choice than sent',
  text_case: 'a text was signed in another case than sent',
  client_order_id_hash: 'client_order_id_hash is not Keccak-256 of the client_order_id',
  scopes_hash: 'scopes_hash is not Keccak-256 of the distinct scopes, sorted and joined by one space',
  version_written_otherwise: 'the version of the message was written otherwise; it is "1"',
  integers_declared_otherwise: 'the integers were declared with another width; copy the type string',
  signed_as_text: 'the digest was signed as a message of personal_sign; sign typed data',
  struct_hash_signed:
    'the hash of the message alone was signed; the digest is Keccak-256 of 0x1901, domain and message',
  hashed_by_sha3: 'SHA3-256 was used; Keccak-256 pads otherwise and gives another hash',
  field_differs: 'a field was signed with another value than sent',
  request_differs: 'the authorization is for another account, key, scope or environment than the request',
  other_key_or_text: 'either another key signed, or another text than this one',
} as const

export type Cause = keyof typeof CAUSES

/** Cause that was found. */
export type Finding = {
  readonly cause: Cause
  readonly message: string
  /** `proved`: with this change the signature verifies; `seen`: it is in what was given; `possible`: nothing more is known. */
  readonly certainty: 'proved' | 'seen' | 'possible'
}

/** Creates a finding. @param detail  fact that the sentence lacks, such as the field and both values */
export function finding(cause: Cause, certainty: Finding['certainty'], detail?: string): Finding {
  return { cause, message: detail === undefined ? CAUSES[cause] : `${CAUSES[cause]} (${detail})`, certainty }
}
