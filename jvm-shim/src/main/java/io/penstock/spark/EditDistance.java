package io.penstock.spark;

/** How many letters must be put in, taken out or changed to make one word of another. */
final class EditDistance {

  private EditDistance() {}

  static int between(String one, String other) {
    int[] above = new int[other.length() + 1];
    for (int column = 0; column < above.length; column++) {
      above[column] = column;
    }
    for (int row = 1; row <= one.length(); row++) {
      int[] current = new int[above.length];
      current[0] = row;
      for (int column = 1; column < above.length; column++) {
        int change = one.charAt(row - 1) == other.charAt(column - 1) ? 0 : 1;
        current[column] =
            Math.min(above[column - 1] + change, 1 + Math.min(above[column], current[column - 1]));
      }
      above = current;
    }
    return above[other.length()];
  }
}
