-- Resolutions that only confirm another one.
--
-- returns  resolution_id and evidence of the confirming row, confirmed_id and confirmed_evidence of the row it confirms
select
  confirming.resolution_id,
  confirming.evidence,
  confirmed.resolution_id as confirmed_id,
  confirmed.evidence as confirmed_evidence
from market_resolution_history as confirming
join market_resolution_history as confirmed on confirmed.resolution_id = confirming.confirms_id
where confirming.confirms_id is not null
order by confirming.resolution_id;
