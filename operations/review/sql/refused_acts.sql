-- Rejected acts of review.
--
-- params   $subject  VARCHAR   market_rating or severity_assessment
-- returns  the latest first
select *
from refused_act
where subject = $subject
order by published_at desc, row_ordinal desc;
