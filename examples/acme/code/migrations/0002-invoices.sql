alter table orders add column invoice_sent_at timestamptz;
