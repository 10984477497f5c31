/** A chance in percent: with one digit where it is small or nearly 100, so that what is rare never looks like nothing and what is likely never looks certain. */
export function percent(p: number): string {
  const value = p * 100;
  const rest = 100 - value;
  if (value < 1e-6) return '0%';
  if (rest < 1e-6) return '100%';
  if (value < 0.05) return '<0.1%';
  if (rest < 0.05) return '>99.9%';
  return `${value.toFixed(value < 9.95 || rest < 0.95 ? 1 : 0)}%`;
}
