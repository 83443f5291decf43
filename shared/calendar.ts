/** Whether the day of a date-time exists in its month. `Date` converts 31 February to 3 March. */
export function isInCalendar(time: string): boolean {
  const [year, month, day] = time.slice(0, 10).split('-').map(Number) as [number, number, number];
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}
