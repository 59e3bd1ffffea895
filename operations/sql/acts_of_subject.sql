-- The acts of review about one market or event.
--
-- params   $subject     VARCHAR   market_rating or severity_assessment
--          $subject_id  VARCHAR
-- returns  the earliest first
select * exclude (records)
from assessment_act
where subject = $subject and subject_id = $subject_id
order by published_at, row_ordinal;
