-- Payloads of an archive that are already stored.
--
-- params   $venue_ids, $content_hashes  list of VARCHAR
--          $from, $to                   VARCHAR, instants of receipt, both inclusive
-- returns  one row a stored payload with one of these contents, any order
select content_hash, venue_id, endpoint, request, received_at
from venue_payload_history
where venue_id in (select unnest($venue_ids))
  and received_at >= $from::timestamptz
  and received_at <= $to::timestamptz
  and content_hash in (select unnest($content_hashes));
