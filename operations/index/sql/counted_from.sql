-- Instant from which a record of market data counts: an expression over its received_at and published_at (methodology §3).
--
-- params   $publication_until  TIMESTAMPTZ  until then every record counts from its publication on, as the recorded clock demands
--          $live_within_us     BIGINT       a record published within this time of its receipt was published live
-- returns  TIMESTAMPTZ
-- rule     a record published live counts from its publication on, as it did for the live feed; one of an archive from its receipt
case
  when epoch_us(published_at) - epoch_us(received_at) <= $live_within_us::BIGINT then greatest(received_at, published_at)
  else greatest(received_at, least(published_at, $publication_until::timestamptz))
end
