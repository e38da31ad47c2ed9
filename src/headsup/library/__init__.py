"""What `import headsup` gives: cards and rules as text in, readable exact values out."""
