declare module 'virtual:nato' {
  export interface Stroke {
    fill: boolean;
    stroke: boolean;
    /** An SVG path in a grid of 200 × 200, the frame from 25,50 to 175,150. */
    path: string;
    /** Scale and offset, where it is not drawn as it stands. */
    at?: [number, number, number];
  }
  const symbols: { frame: string; icons: Record<string, Stroke[]> };
  export default symbols;
}
