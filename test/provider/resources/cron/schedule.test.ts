/** Which schedules and time zones a Cron accepts, and which it warns of. */
import { checkSchedule, timeZoneError, timeZoneWarning } from "../../../../provider/resources/cron/schedule";
import { normalizeSchedule } from "../../../../provider/schema/schedule";

// @covers 2B.Cron.schedule:form
it.each([
  ...["* * * * *", "*/5 * * * *", "0 9 * * 1-5", "1-5/2,8 0 * * *", " 0 0 * * * ", "0\t0 * * *", "00 03 * * *"],
  ...["0 0 29 2 *", "0 0 31 */2 *", "0 0 31 2 1", "0 0 30 1,2 *", "59 23 31 12 6"],
])("the schedule %j is one of five standard fields", (schedule) => {
  expect(checkSchedule(schedule)).toEqual({});
});

// @covers 2B.Cron.schedule:more
it.each([
  ...["0 0 * * 7", "0 0 * * MON-FRI", "0 0 1 jan *", "0 0 L * *", "0 0 15W * *", "0 0 * * 5#2", "0 0 * * 5L"],
  ...["0 0 ? * 1", "0 22-6 * * *", "5/15 * * * *", "@daily", "@hourly", "@weekly", "0 0 31 2 MON"],
])("the schedule %j is a warning, because only some servers accept it", (schedule) => {
  expect(checkSchedule(schedule)).toEqual({ warning: expect.stringMatching(/which a server may reject/) });
});

// @covers 2B.Cron.schedule:refused
it.each([
  ["", "has 0 fields"],
  ["0 3 * *", "has 4 fields"],
  ["0 0 3 * * *", "has 6 fields, one of them for seconds"],
  ["0 0 3 * * * 2030", "has 7 fields, with seconds and years"],
  ["@reboot", '"@reboot" names no times'],
  ["@every 5m", '"@every 5m" names no times'],
  ["R 3 * * *", '"R" is a random minute'],
  ["H 3 * * *", '"H" is a random minute'],
  ["60 * * * *", '"60" is not a valid minute; values are 0 to 59.'],
  ["* 24 * * *", '"24" is not a valid hour'],
  ["* * 0 * *", '"0" is not a valid day of the month; values are 1 to 31.'],
  ["* * * 13 *", '"13" is not a valid month'],
  ["* * * * 8", '"8" is not a valid weekday; values are 0 to 6.'],
  ["-1 * * * *", '"-1" is not a valid minute'],
  ["0,,1 * * * *", '"" is not a valid minute'],
  ["*-5 * * * *", '"*-5" is not a valid minute'],
  ["*/0 * * * *", '"*/0" has a step of 0'],
  ["L * * * *", '"L" is not a valid minute'],
  ["0 0 31 2 *", "never comes: no month that it names has a day 31."],
  ["0 0 30-31 FEB *", "never comes"],
  ["0 0 31 4,6,9,11 *", "never comes"],
])("the schedule %j is refused", (schedule, reason) => {
  expect(checkSchedule(schedule).error).toContain(reason);
});

// @covers 2B.Cron.timezone
it.each([
  ...["UTC", "GMT", "Etc/UTC", "Etc/GMT+1", "Europe/Berlin", "Asia/Kolkata", "Asia/Calcutta", "US/Pacific", "GB"],
  ...[
    "Africa/Dar_es_Salaam",
    "America/Port-au-Prince",
    "America/Argentina/Buenos_Aires",
    "America/North_Dakota/Center",
  ],
  ...["Antarctica/DumontDUrville", "EST5EDT", "W-SU", "NZ-CHAT", "GMT+0"],
])("the time zone %s is valid, also where Node.js does not list it", (name) => {
  expect(timeZoneError(name)).toBeUndefined();
});

it.each([
  ["utc", 'must be written "UTC".'],
  ["europe/berlin", 'must be written "Europe/Berlin".'],
  ["EUROPE/Berlin", 'must be written "Europe/Berlin".'],
  ["asia/kolkata", "is not written as in the IANA database"],
  ["Asia/KOLKATA", "is not written as in the IANA database"],
  ["PST", "is not a name of the IANA database"],
  ["+02:00", "is an offset"],
  ["UTC+2", "is an offset"],
  ["GMT+1", "is an offset"],
  ["Europe/Berlin ", "is not a time zone of the IANA database"],
  ["../UTC", "is not a time zone of the IANA database"],
  ["", "is not a time zone of the IANA database"],
])("the time zone %j is refused", (name, reason) => {
  expect(timeZoneError(name)).toContain(reason);
});

it("A time zone that this Node.js does not know is a warning, because the server may know it", () => {
  for (const result of [timeZoneError("Mars/Phobos"), timeZoneWarning("Europe/Berlin"), timeZoneWarning("+02:00")])
    expect(result).toBeUndefined();
  expect(timeZoneWarning("Mars/Phobos")).toContain("a server with another one may accept it");
});

it.each([
  ["0 3 * * *", " 0  3 * * * "],
  ["0 3 * * *", "00 03 * * *"],
  ["0 3 * * 1", "0 3 * * MON"],
  ["0 3 * * 0", "0 3 * * 7"],
  ["0 3 * * 1-5", "0 3 * * mon-FRI"],
  ["0 3 * * 1-5", "0 3 * * 5,4,3,2,1"],
  ["0 3 1 1 *", "0 3 1 jan *"],
  ["0 0 * * *", "@daily"],
  ["*/1 * * * *", "* * * * *"],
  ["0-30/10 * * * *", "0,10,20,30 * * * *"],
  ["0 3 * * 6,0", "0 3 * * 6-7"],
  ["0 3 L * *", "0 3 l * *"],
])("The schedules %j and %j are the same", (left, right) => {
  expect(normalizeSchedule(left)).toBe(normalizeSchedule(right));
});

it.each([
  ["0 3 * * *", "0 4 * * *"],
  ["0 3 * * 0-6", "0 3 * * *"],
  ["*/2 * * * *", "*/3 * * * *"],
  ["0 3 * * 1", "0 3 1 * *"],
  ["0 3 * * 5-1", "0 3 * * 1-5"],
  ["5/10 * * * *", "5 * * * *"],
  ["0 3 * * *", "0 0 3 * * *"],
  ["0 0 L * *", "0 0 LW * *"],
  ["@reboot", "@daily"],
])("The schedules %j and %j are different", (left, right) => {
  expect(normalizeSchedule(left)).not.toBe(normalizeSchedule(right));
});
