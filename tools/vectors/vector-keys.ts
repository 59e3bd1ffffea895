/** Keys that sign the vectors. They open nothing: no service knows them. */
export const VECTOR_KEYS = [
  {
    key_id: 'key_vector_hmac_0001',
    environment: 'sandbox',
    algorithm: 'hmac-sha256',
    secret: 'f9ccd92bb6af4cb45e43113867e61dab39a4e7a2a0a88980a940250637773199',
  },
  {
    key_id: 'key_vector_ed25519_01',
    environment: 'production',
    algorithm: 'ed25519',
    private_key: '3d5f4f95cdb1cdfc71014efa1a669fd42599a0ce2000d914a409e48bccaed584',
    public_key: '6685f5a45a52b7781acade6537622fc2b98057daadf7056946cd60f18966a147',
  },
] as const

/** Private key of the signer of typed data: 0x01 repeated. */
export const SIGNER_KEY = `0x${'01'.repeat(32)}`
