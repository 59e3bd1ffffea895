/** File of a recording that says when it ran, which files it sealed and what is missing. */
export const RECORDING_JOURNAL = 'recording.jsonl'
/** File with the SHA-256 of each sealed file, in the form that `sha256sum -c` reads. */
export const CHECKSUMS = 'SHA256SUMS'
/** End of the name of a file in our own form. */
export const OWN_FORM = '.payloads.jsonl'
