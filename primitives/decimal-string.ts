/** A base-10 string of the grammar `-?(0|[1-9]\d*)(\.\d+)?`: no exponent, no plus sign, no leading zeros. */
export type DecimalString = string
