/** Reads "7.5 °C"; null when the cell is empty. */
export function celsius(text: string): number | null {
  const value = Number.parseFloat(text);
  return Number.isNaN(value) ? null : value;
}
