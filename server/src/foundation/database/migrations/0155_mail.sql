-- Senders that the operator allows to the scripts of a business: addresses, or domains as @domain.
create table mail_sender (
  business_id text not null,
  sender text not null,
  primary key (business_id, sender)
);

-- To whom answers go, if it is not the sender.
alter table mail_message add column reply_to text;
