import { describe, expect, it } from "vitest";
import { DEFAULT_LIFECYCLES } from "../../../src/recovery/corrupt/default-lifecycles.ts";
import { fieldWords, plainName } from "../../../src/recovery/corrupt/field-words.ts";
import { looksLikeId } from "../../../src/recovery/corrupt/looks-like-id.ts";
import {
  IDENTIFIER,
  NOT_QUANTITY,
  nameTraits,
  wordTraits,
} from "../../../src/recovery/corrupt/name-traits.ts";

describe("names", () => {
  it("are read in every spelling", () => {
    for (const name of [
      "order_item_ids",
      "orderItemIds",
      "orderItemIDs",
      "OrderItemIds",
      "order-item-ids",
      "ORDER ITEM IDS",
    ])
      expect(fieldWords(name)).toEqual(["order", "item", "ids"]);
    expect(fieldWords("HTMLPage2")).toEqual(["html", "page", "2"]);
    expect(fieldWords("straßeÉtat")).toEqual(["straße", "état"]);
    expect(plainName("***")).toBe("***");
  });

  it("say what is an identifier or a code", () => {
    const isId = (name: string): boolean => (nameTraits(fieldWords(name), wordTraits) & IDENTIFIER) !== 0;
    const ids = `id ID _id userId user_ids userID order-id orderid uuid code zip zipCode zipcode postal_code postcode phone phoneNumber
      sku SKU ssn iata isbn account_number orderNumber tracking_numbers tracking_id number last_four last4 cardLastFour api_key
      currency_code status_code sha256 idempotency_key reference username flight_number errno gid pid idx nr passport serial_nr swift license`;
    for (const name of ids.split(/\s+/)) expect([name, isId(name)]).toEqual([name, true]);
    const others = `status price valid paid amount grid items num_items number_of_items total_number numbers identity video
      keyboard codec tokens address1 phone_model zipper weekday`;
    for (const name of others.split(/\s+/)) expect([name, isId(name)]).toEqual([name, false]);
  });
});

describe("numbers", () => {
  it("are no amounts where a name ends in a date or a label", () => {
    const isAmount = (name: string): boolean =>
      (nameTraits(fieldWords(name), wordTraits) & NOT_QUANTITY) === 0;
    for (const name of ["price_per_month", "roomRate", "seat_price", "minutes_used", "nights", "years"])
      expect([name, isAmount(name)]).toEqual([name, true]);
    for (const name of [
      "birth_year",
      "createdAt",
      "latitude",
      "geo_accuracy",
      "room",
      "schema_version",
      "status",
    ])
      expect([name, isAmount(name)]).toEqual([name, false]);
  });
});

describe("looksLikeId", () => {
  it("knows ids from words, measures and dates", () => {
    const ids = `#W2611340 credit_card_4421486 mia_li_3668 HAT069 JG7FMM 2FBBAH P1001 9612497925 80279 INV-001 req_8f3a2b1c
      123e4567-e89b-12d3-a456-426614174000 9fceb02d0ae598e95dc970b74767f19372d61af8 cus9s6XKzkNRiz8i3`;
    for (const id of ids.split(/\s+/)) expect([id, looksLikeId(id)]).toEqual([id, true]);
    for (const id of ["+1 555-123-2001", "4242 4242 4242 4242"]) expect(looksLikeId(id)).toBe(true);
    const others = `delivered IN_TRANSIT 1000ml 128GB 20MP 3200mAh 1080p 4K 15-inch 2024-05-15T15:00:00 1990-04-05 06:00:00
      12.50 -1234567.25 noah.brown7922@example.com https://x.org/a1 v-neck 100 IPX7 XXL 24-bit`;
    for (const text of others.split(/\s+/)) expect([text, looksLikeId(text)]).toEqual([text, false]);
    for (const text of ["986 Sunset Drive", "Suite 259", "5 ft", ""]) expect(looksLikeId(text)).toBe(false);
  });
});

describe("DEFAULT_LIFECYCLES", () => {
  it("spell every stage as it is looked for, and once", () => {
    for (const { stages } of DEFAULT_LIFECYCLES) {
      const spellings = stages.flat();
      expect(spellings.map(plainName)).toEqual(spellings);
      expect(new Set(spellings).size).toBe(spellings.length);
      expect(stages.length).toBeGreaterThan(1);
    }
  });
});
