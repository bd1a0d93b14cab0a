/** One way that a thing goes. */
export interface DefaultLifecycle {
  /** Words in names around a state field that speak of such a thing. */
  readonly subject: readonly string[];
  /** In order; a stage has one or more spellings, of which the first is written. */
  readonly stages: readonly (readonly string[])[];
}

/** `a|b c`: stages parted by spaces, spellings by bars. */
function lifecycle(subject: string, stages: string): DefaultLifecycle {
  return {
    subject: subject.split(" "),
    stages: stages.split(/\s+/).map((stage) => stage.split("|")),
  };
}

const ORDER = "order orders shipment shipments shipping delivery fulfillment fulfillments package parcel";
const JOB = "job jobs run runs build builds pipeline workflow deployment execution batch step";
const PAYMENT = "payment payments transaction transactions charge charges transfer currency";
const RETURN = "return returns exchange exchanges rma refund refunds";
const INVOICE = "invoice invoices bill bills billing";
const TICKET = "ticket tickets issue issues case cases incident task tasks bug todo";
const FLIGHT = "flight flights departure train";
const RESERVATION = "reservation reservations booking bookings appointment appointments stay";
const DRAFT = "pull pr merge draft article post document review";
const APPLICATION = "application applications applicant claim claims loan";
const ACCOUNT = "account accounts subscription subscriptions line lines sim";
const STOCK = "product products stock inventory availability variant variants";

const PLACED = "pending|placed";
const PREPARED = "processed|processing|confirmed|preparing|packed";
const PAYING = "pending|unpaid|initiated authorized|authorised|processing";
const BILLED = "draft issued|sent|awaiting_payment";
const BOOKED = "pending|requested|on_hold|held confirmed|booked|reserved";
const SUBMITTED = "draft open|submitted|in_review|under_review|ready_for_review";
const DONE = "completed|complete|succeeded|finished|done|failed|errored|cancelled";
const ENDED = "closed|terminated|deactivated|cancelled|expired";

/**
 * The lifecycles of common things. One thing has several where its ways part. A value in several of them is read by the
 * names around it, else by the first here that knows it.
 */
export const DEFAULT_LIFECYCLES: readonly DefaultLifecycle[] = [
  lifecycle(
    ORDER,
    `${PLACED} ${PREPARED} shipped|dispatched in_transit out_for_delivery delivered return_requested|exchange_requested
     returned|exchanged`,
  ),
  lifecycle(ORDER, `${PLACED} ${PREPARED} cancelled|canceled`),
  lifecycle(JOB, `queued|pending|scheduled running|in_progress|processing|started ${DONE}`),
  lifecycle(PAYMENT, `${PAYING} paid|captured|completed|succeeded|settled refunded|disputed|charged_back`),
  lifecycle(PAYMENT, `${PAYING} failed|declined|voided|reversed`),
  lifecycle(
    RETURN,
    "requested approved|authorized|accepted in_transit received inspected refunded|exchanged|completed",
  ),
  lifecycle(RETURN, "requested in_review|under_review rejected|denied|declined"),
  lifecycle(INVOICE, `${BILLED} overdue|past_due paid`),
  lifecycle(INVOICE, `${BILLED} disputed`),
  lifecycle(
    TICKET,
    "open|new|todo|backlog in_progress|investigating|started resolved|fixed|done closed|completed",
  ),
  lifecycle(FLIGHT, "scheduled|on_time boarding departed|flying|in_air|airborne|en_route landed arrived"),
  lifecycle(FLIGHT, "scheduled|on_time delayed cancelled|canceled|diverted"),
  lifecycle(RESERVATION, `${BOOKED} checked_in|seated checked_out|completed`),
  lifecycle(RESERVATION, `${BOOKED} cancelled|canceled|no_show`),
  lifecycle(DRAFT, `${SUBMITTED} approved merged|published|released`),
  lifecycle(DRAFT, `${SUBMITTED} closed|rejected|changes_requested`),
  lifecycle(APPLICATION, "submitted in_review|under_review approved|accepted|rejected|denied"),
  lifecycle(
    ACCOUNT,
    `pending|pending_verification|invited|trial active|enabled suspended|past_due|paused|on_hold|frozen|locked ${ENDED}`,
  ),
  lifecycle(ORDER, `${PLACED} processing|processed completed|fulfilled|closed`),
  lifecycle(
    STOCK,
    "in_stock|available low_stock|limited out_of_stock|sold_out|unavailable|backordered discontinued",
  ),
];
